import { abilities } from './words/abilities.js'
import { cards } from './words/cards.js'
import { catalogue } from './words/catalogue.js'
import { files } from './words/files.js'
import { pages } from './words/pages.js'
import { thread } from './words/thread.js'

/** All that the console says, in English. */
export const english = { ...thread, ...cards, ...files, ...pages, ...abilities }

export const say = catalogue(english)
