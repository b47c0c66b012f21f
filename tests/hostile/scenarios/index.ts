import type { Scenario } from '../scenario.ts'
import { binding } from './binding.ts'
import { cards } from './cards.ts'
import { exfil } from './exfil.ts'
import { given } from './given.ts'
import { grants } from './grants.ts'
import { loops } from './loops.ts'
import { net } from './net.ts'
import { people } from './people.ts'
import { reads } from './reads.ts'
import { resources } from './resources.ts'
import { sandNet } from './sand-net.ts'
import { sandbox } from './sandbox.ts'
import { secrets } from './secrets.ts'
import { shell } from './shell.ts'
import { tools } from './tools.ts'
import { words } from './words.ts'
import { writes } from './writes.ts'

export const scenarios: Scenario[] = [
  ...reads,
  ...sandbox,
  ...writes,
  ...net,
  ...sandNet,
  ...resources,
  ...shell,
  ...binding,
  ...cards,
  ...grants,
  ...people,
  ...tools,
  ...words,
  ...exfil,
  ...given,
  ...secrets,
  ...loops,
]
