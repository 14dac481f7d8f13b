"""What rules of several families share: merged findings, and findings about channels."""
