/** A name in quotes, in which no tag can begin. */
export const quoted = (name: string): string => JSON.stringify(name).replaceAll('<', '\\u003c')
