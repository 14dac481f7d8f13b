"""What rules about the posed skin share: which poses, what is left out, which joints deform badly."""
