/** A directory as a model may write it, after it has seen `pwd`. */
export const insidePath = (directory: string): string =>
  directory.replace(/^\/+(?:\.\/+)*workspace(?:\/+|$)/, '').replace(/^\.?\/?$/, '')
