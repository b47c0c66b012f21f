import { alarmMessage } from './intents/alarm-message.ts'
import { ask } from './intents/ask.ts'
import { cancelAlarm } from './intents/cancel-alarm.ts'
import { change } from './intents/change.ts'
import { compare } from './intents/compare.ts'
import { convert } from './intents/convert.ts'
import { decide } from './intents/decide.ts'
import { delegate } from './intents/delegate.ts'
import { fetchPage } from './intents/fetch-page.ts'
import { finish } from './intents/finish.ts'
import { helpWith } from './intents/help.ts'
import { listAlarms } from './intents/list-alarms.ts'
import { listFiles } from './intents/list-files.ts'
import { plan } from './intents/plan.ts'
import { remind } from './intents/remind.ts'
import { run } from './intents/run.ts'
import { runScript } from './intents/run-script.ts'
import { search } from './intents/search.ts'
import { searchWeb } from './intents/search-web.ts'
import { show } from './intents/show.ts'
import { slowly } from './intents/slowly.ts'
import { steps } from './intents/steps.ts'
import { summarise } from './intents/summarise.ts'
import { time } from './intents/time.ts'
import { todos } from './intents/todos.ts'
import { write } from './intents/write.ts'
import type { Intent } from './situation.ts'

/** The first match wins: those with the plainest words come first. */
const abilities: Intent[] = [
  alarmMessage,
  remind,
  cancelAlarm,
  listAlarms,
  decide,
  ask,
  finish,
  delegate,
  plan,
  todos,
  runScript,
  run,
  fetchPage,
  searchWeb,
  slowly,
  steps,
  change,
  summarise,
  convert,
  compare,
  write,
  search,
  listFiles,
  show,
  time,
]

const { help, fallback } = helpWith(abilities.flatMap(({ example }) => example ?? []))

export const intents: Intent[] = [...abilities, help]
export { fallback }
