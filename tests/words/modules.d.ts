// The catalogue of the console's page is plain JavaScript for browsers.
declare module '*/console/public/words.js' {
  export const english: Record<string, string>
  export const say: Record<string, (values?: object) => string>
}

declare module '*/console/public/words/pages.js' {
  export const pages: Record<string, string>
}

declare module '*/console/public/words/abilities.js' {
  export const abilities: Record<string, string>
}

declare module '*/console/public/words/thread.js' {
  export const thread: Record<string, string>
}

declare module '*/console/public/words/cards.js' {
  export const cards: Record<string, string>
}

declare module '*/console/public/words/files.js' {
  export const files: Record<string, string>
}
