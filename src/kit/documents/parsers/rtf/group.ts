import type { Field } from './fields.ts'
import type { Format } from './paragraphs.ts'
import { type Revised, unrevised } from './revisions.ts'

/** Groups that aren't text of the document. */
export const unseen = new Set(
  'colortbl info pict object themedata datastore listtable listoverridetable rsidtbl generator'
    .concat(' xmlnstbl filetbl latentstyles bkmkstart bkmkend atnid shpinst nonshppict xe tc do')
    // The same shape again, for programs that know no shapes.
    .concat(' shprslt')
    .split(' '),
)

/** Unseen groups with a part that is seen: the text of a box, or what an object shows. */
export const frames = new Set(['shpinst', 'do', 'object'])
export const framed = new Set(['shptxt', 'dptxbxtext', 'result'])

/** State that applies within a group and ends with it. */
export interface Group extends Format {
  isUnseen: boolean
  /** It is unseen, but for a part of it. */
  isFrame: boolean
  /** Its paragraphs are in a table if the one around it is. */
  isFramed: boolean
  /** Whose text is read, though it isn't text of the document. */
  kind: '' | 'fonts' | 'styles' | 'authors' | 'author' | 'code'
  isHidden: boolean
  /** What kind of note it is, such as a comment and whose. */
  note: string
  /** The innermost field around it. */
  field: Field | undefined
  isRaised: boolean
  revised: Revised
  /** Characters that follow `\u` for old programs. */
  substitutes: number
  font: number
}

export const outermost: Group = {
  isUnseen: false,
  isFrame: false,
  isFramed: false,
  kind: '',
  isHidden: false,
  note: '',
  field: undefined,
  isRaised: false,
  isStruck: false,
  revised: unrevised,
  level: undefined,
  isInTable: false,
  substitutes: 1,
  font: -1,
}

/** What characters look like if nothing is said. */
export const plain = { font: -1, isHidden: false, isRaised: false, isStruck: false, revised: unrevised }
