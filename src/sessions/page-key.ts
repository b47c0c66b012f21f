/** A message's pages are known by its key and their place. */
export const pageKey = (key: string, index: number): string => `${key}.${index}`

/** The key of the message to which a page belongs. */
export const messageOfPage = (page: string): string => page.slice(0, page.indexOf('.'))
