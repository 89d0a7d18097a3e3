"""Taking in what was said to an end user's product: at once and whatever else is down; it is read later, by workers."""
