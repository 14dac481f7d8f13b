"""What rigview does, one use case a module: the library, the command line and the window call these.

Nothing here needs Qt, and nothing prints. The names of `rigview` itself are functions of these modules.
"""
