import type { Tool } from '../domain/tool.ts'
import { alarmCancel } from './alarm-cancel.ts'
import { alarmList } from './alarm-list.ts'
import { alarmSet } from './alarm-set.ts'
import { askClarification } from './ask-clarification.ts'
import { askDecision } from './ask-decision.ts'
import { askHuman } from './ask-human.ts'
import { editFile } from './edit-file.ts'
import { findFiles } from './find-files.ts'
import { finish } from './finish.ts'
import { grepFiles } from './grep-files.ts'
import { listFiles } from './list-files.ts'
import { multiEdit } from './multi-edit.ts'
import { now } from './now.ts'
import { readFile } from './read-file.ts'
import { runCommand } from './run-command.ts'
import { runScript } from './run-script.ts'
import { searchFile } from './search-file.ts'
import { todoRead } from './todo-read.ts'
import { todoWrite } from './todo-write.ts'
import { webFetch } from './web-fetch.ts'
import { webSearch } from './web-search.ts'
import { writeFile } from './write-file.ts'

/** In a fixed order: what the model is told first must not change, or no provider can cache it. */
export const builtinTools: Tool[] = [
  readFile,
  writeFile,
  editFile,
  multiEdit,
  listFiles,
  findFiles,
  grepFiles,
  askHuman,
  askDecision,
  now,
  todoRead,
  todoWrite,
  alarmSet,
  alarmList,
  alarmCancel,
  finish,
  searchFile,
  webFetch,
  webSearch,
  runCommand,
  runScript,
  askClarification,
]
