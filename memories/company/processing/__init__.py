"""What workers do with a document that came in: claim it, read it, swap it in, embed it. The row is the queue."""
