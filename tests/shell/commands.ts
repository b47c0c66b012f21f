import type { Case } from './case.ts'
import { everyday } from './corpus/everyday.ts'
import { given } from './corpus/given.ts'
import { names } from './corpus/names.ts'
import { programs } from './corpus/programs.ts'
import { structure } from './corpus/structure.ts'
import { values } from './corpus/values.ts'
import { wrappers } from './corpus/wrappers.ts'

/** Command lines with what must be told of them. */
export const commands: Case[] = [...everyday, ...names, ...structure, ...values, ...wrappers, ...programs, ...given]
