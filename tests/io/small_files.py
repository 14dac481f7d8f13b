"""Small files of a moving skeleton: one of USD with a skinned mesh, one of BVH."""

# Z up, centimetres, 30 time codes a second; the mesh lists its joints in an order of its own.
USD_ARM = """#usda 1.0
(
    defaultPrim = "Model"
    metersPerUnit = 0.01
    upAxis = "Z"
    timeCodesPerSecond = 30
    startTimeCode = 0
    endTimeCode = 30
)

def SkelRoot "Model"
{
    def Skeleton "Skel" (prepend apiSchemas = ["SkelBindingAPI"])
    {
        uniform token[] joints = ["upper", "upper/lower", "upper/lower/hand"]
        uniform matrix4d[] bindTransforms = [
            ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1)), ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,2,1)),
            ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,4,1))]
        uniform matrix4d[] restTransforms = [
            ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1)), ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,2,1)),
            ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,2,1))]
        rel skel:animationSource = </Model/Anim>
    }
    def SkelAnimation "Anim"
    {
        uniform token[] joints = ["upper/lower", "upper"]
        float3[] translations = [(0, 0, 2), (0, 0, 0)]
        quatf[] rotations.timeSamples = {
            0: [(1, 0, 0, 0), (1, 0, 0, 0)],
            15: [(0.70710678, 0.70710678, 0, 0), (0.9238795, 0, 0.3826834, 0)],
            30: [(0.9238795, 0, 0, 0.3826834), (1, 0, 0, 0)],
        }
        half3[] scales = [(1, 1, 1), (1, 1, 1)]
    }
    def Mesh "Arm" (prepend apiSchemas = ["SkelBindingAPI"])
    {
        int[] faceVertexCounts = [4, 4]
        int[] faceVertexIndices = [0, 1, 3, 2, 2, 3, 5, 4]
        point3f[] points = [(-1,0,0), (1,0,0), (-1,0,2), (1,0,2), (-1,0,4), (1,0,4)]
        normal3f[] normals = [(0,-1,0), (0,-1,0), (0,-1,0), (0,-1,0), (0,-1,0), (0,-1,0)] (
            interpolation = "vertex")
        rel skel:skeleton = </Model/Skel>
        uniform token[] skel:joints = ["upper/lower", "upper", "upper/lower/hand"]
        int[] primvars:skel:jointIndices = [1,0, 1,0, 1,0, 0,1, 0,2, 2,0] (
            elementSize = 2
            interpolation = "vertex")
        float[] primvars:skel:jointWeights = [1,0, 1,0, 0.5,0.5, 0.5,0.25, 0.5,0.5, 1,0] (
            elementSize = 2
            interpolation = "vertex")
        matrix4d primvars:skel:geomBindTransform = ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0.5,0,1))
    }
}
"""

BVH = (
    "HIERARCHY\r\n# made by hand\r\nROOT Hips\r\n{\r\n  OFFSET 0 0 0\r\n"
    "  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\r\n"
    "  JOINT Upper Arm.L {\r\n    OFFSET 0\t100 0\r\n    CHANNELS 3 Yrotation Zrotation Xrotation\r\n"
    "    End Site\r\n    {\r\n      OFFSET 0 110 0\r\n    }\r\n  }\r\n}\r\nMOTION\r\nFrames: 2\r\n"
    "Frame Time: 0.04\r\n1 90 3 0 0 0 0 90 0\r\n1 90.50 3 90 0 0 0 30 10\r\n"
)
