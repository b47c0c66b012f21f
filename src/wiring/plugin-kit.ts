import { z } from 'zod'
import { broken, fine, mind } from '../domain/finding.ts'
import { defineTool, UnknownOutcome } from '../domain/tool.ts'
import { Failure } from '../kit/failure.ts'
import { startJob } from '../store/jobs.ts'

/** What a plug-in's function is passed after its options, since a module elsewhere can't import it. */
export const pluginKit = { z, defineTool, Failure, UnknownOutcome, startJob, fine, mind, broken }

export type PluginKit = typeof pluginKit
