"""What takes time or changes the document: one module a kind of work, told of by signals."""
