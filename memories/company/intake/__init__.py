"""Taking documents in: files, folders, archives and chats. An answer is given once the bytes are committed."""
