"""Reading phrases, topics and dates out of statements in the third person. Pure."""
