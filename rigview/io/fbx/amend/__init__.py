"""An FBX file amended: what a fix changed is written into it, every other byte is kept."""
