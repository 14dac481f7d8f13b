"""Drawing into the framebuffer that the caller has bound; knows no window system."""
