import { broken, type Finding, type Findings, fine, mind } from '../../domain/finding.ts'
import { Failure } from '../../kit/failure.ts'
import { lateSandbox } from '../../kit/sandbox/late.ts'
import type { Sandbox } from '../../kit/sandbox/port.ts'
import { openUnconfined } from '../../kit/sandbox/unconfined.ts'
import type { SandboxSettings } from '../../programs/settings.ts'

/** Whether commands and scripts can run here, which limits apply, and what isn't contained. */
export async function* sandboxFindings(sandbox: Pick<Sandbox, 'facts'>): AsyncGenerator<Finding> {
  try {
    const { kind, version, memory, processes, programs, gaps } = await sandbox.facts()
    if (kind === 'none') {
      yield mind('There is no sandbox, and sandbox.required is false.', ...gaps.map((gap) => `${gap}.`))
      return
    }
    yield fine(`Commands and scripts run in bubblewrap ${version}.`)
    yield fine(
      memory === processes
        ? `Memory and processes are limited by ${keeper[memory]}.`
        : `Memory is limited by ${keeper[memory]}, processes by ${keeper[processes]}.`,
    )
    if (programs.python === undefined) {
      yield mind('There is no Python for scripts.', 'Install it for the whole system (apt install python3).')
    }
    yield mind('The sandbox does not stop everything.', ...gaps.map((gap) => `${gap}.`))
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown
    yield broken(`${thrown.message} Commands and scripts are refused.`, thrown.remedy)
  }
}

const keeper = {
  cgroup: 'a control group',
  watcher: 'a watcher that checks several times a second',
  nothing: 'nothing',
}

/** As the settings want it. */
export const commandChecks = ({ required }: SandboxSettings): Findings =>
  sandboxFindings(required ? lateSandbox() : openUnconfined(lateSandbox()))
