import { alarmCancel } from '../capabilities/alarms/alarm-cancel.ts'
import { alarmList } from '../capabilities/alarms/alarm-list.ts'
import { alarmSet } from '../capabilities/alarms/alarm-set.ts'
import { now } from '../capabilities/alarms/now.ts'
import { runCommand } from '../capabilities/commands/run-command.ts'
import { runScript } from '../capabilities/commands/run-script.ts'
import { searchFile } from '../capabilities/documents/search-file.ts'
import { editFile } from '../capabilities/files/edit-file.ts'
import { findFiles } from '../capabilities/files/find-files.ts'
import { grepFiles } from '../capabilities/files/grep-files.ts'
import { listFiles } from '../capabilities/files/list-files.ts'
import { multiEdit } from '../capabilities/files/multi-edit.ts'
import { readFile } from '../capabilities/files/read-file.ts'
import { writeFile } from '../capabilities/files/write-file.ts'
import { askClarification } from '../capabilities/questions/ask-clarification.ts'
import { askDecision } from '../capabilities/questions/ask-decision.ts'
import { askHuman } from '../capabilities/questions/ask-human.ts'
import { todoRead } from '../capabilities/todos/todo-read.ts'
import { todoWrite } from '../capabilities/todos/todo-write.ts'
import { webFetch } from '../capabilities/web/web-fetch.ts'
import { webSearch } from '../capabilities/web/web-search.ts'
import type { Tool } from '../domain/tool.ts'
import { finish } from '../turn/finish.ts'

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
