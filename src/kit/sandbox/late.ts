import { once } from '../once.ts'
import type { ContainmentOptions } from './contained.ts'
import type { Containment } from './containment.ts'
import type { Sandbox } from './port.ts'

/** The sandbox, whose code is loaded with the first command. */
export function lateSandbox(): Sandbox {
  const sandbox = once(async () => (await import('./sandbox.ts')).openSandbox())
  return {
    run: async (wanted) => (await sandbox()).run(wanted),
    facts: async () => (await sandbox()).facts(),
  }
}

/** The containment of readers, whose code is loaded with the first one. */
export function lateContainment(options: ContainmentOptions = {}): Containment {
  const containment = once(async () => (await import('./contained.ts')).openContainment(options))
  return {
    start: async (program) => (await containment()).start(program),
    facts: async () => (await containment()).facts(),
  }
}
