"""What is told of an end user when a product asks: ranked, rendered for a prompt, cached, and judged afterwards."""
