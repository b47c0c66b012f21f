/** OpenAI, and others like it, refuse a request that describes more tools. */
export const mostTools = 128

/** Of these, so many are left for what a thread loads. */
export const leftToLoad = 20

/** Bobbin's own are about 20 of them, so that about so many of servers fit. */
export const aboutOfServers = mostTools - leftToLoad - 20
