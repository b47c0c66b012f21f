/** OpenAI, and others like it, refuse a request that describes more tools. */
export const mostTools = 128

/** How many of these are kept free for what a thread loads. */
export const leftToLoad = 20

/** How many tools of servers fit, roughly: Bobbin's own take about 20 places. */
export const aboutOfServers = mostTools - leftToLoad - 20
