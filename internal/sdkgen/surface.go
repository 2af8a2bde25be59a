package sdkgen

import "codemode-mcp/internal/surface"

// DefaultSurface declares what a script sees besides the tools.
var DefaultSurface = surface.Declarations()
