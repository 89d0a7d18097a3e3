"""Chat messages to statements about the user. Pure: no database. A language model may do it better, none is needed."""
