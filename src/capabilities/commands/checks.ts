import { broken, type Finding, type Findings, fine, mind } from '../../domain/finding.ts'
import { Failure } from '../../kit/failure.ts'
import { lateSandbox } from '../../kit/sandbox/late.ts'
import type { Sandbox } from '../../kit/sandbox/port.ts'
import { openUnconfined } from '../../kit/sandbox/unconfined.ts'
import type { SandboxSettings } from '../../programs/settings.ts'
import { commandsWords } from './words.ts'

/** Whether commands and scripts can run here, which limits apply, and what isn't contained. */
export async function* sandboxFindings(sandbox: Pick<Sandbox, 'facts'>): AsyncGenerator<Finding> {
  try {
    const { kind, version, memory, processes, programs, gaps } = await sandbox.facts()
    if (kind === 'none') {
      yield mind(commandsWords.noSandbox(), ...gaps.map((gap) => `${gap}.`))
      return
    }
    yield fine(commandsWords.inBubblewrap({ version }))
    yield fine(
      memory === processes
        ? commandsWords.bothLimitedBy({ keeper: keeper[memory]() })
        : commandsWords.memoryThenProcesses({ memory: keeper[memory](), processes: keeper[processes]() }),
    )
    if (programs.python === undefined) {
      yield mind(commandsWords.noPython(), commandsWords.installPython())
    }
    yield mind(commandsWords.doesNotStopEverything(), ...gaps.map((gap) => `${gap}.`))
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown
    yield broken(commandsWords.refused({ why: thrown.message }), thrown.remedy)
  }
}

const keeper = {
  cgroup: commandsWords.controlGroup,
  watcher: commandsWords.watcher,
  nothing: commandsWords.nothing,
}

/** As the settings want it. */
export const commandChecks = ({ required }: SandboxSettings): Findings =>
  sandboxFindings(required ? lateSandbox() : openUnconfined(lateSandbox()))
