import { catalogue } from './words/catalogue.js'
import { pages } from './words/pages.js'
import { thread } from './words/thread.js'

/** All that the console says, in English. */
export const english = { ...thread, ...pages }

export const say = catalogue(english)
