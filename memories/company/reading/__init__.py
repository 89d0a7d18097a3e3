"""A document of any format to sections, statements, entities and relationships. Knows no database and no search."""
