import type { RemoteFile } from '../../domain/chat.ts'
import type { SessionId } from '../../domain/ids.ts'
import type { Answerers } from '../../model/answerers.ts'
import type { FormerCalls } from '../../outbound/former-calls.ts'
import type { LiveTexts } from '../../outbound/live-texts.ts'
import type { Outages } from '../../outbound/outages.ts'
import type { OutputStream } from '../../outbound/output-stream.ts'
import type { Presenter } from '../../outbound/presenter.ts'
import type { TextStream } from '../../outbound/text-stream.ts'
import type { Capabilities } from '../hooks/capabilities.ts'
import type { Status } from '../port/capability.ts'
import type { Services } from '../port/scope.ts'
import type { Suspects } from './suspects.ts'
import type { Toolbox } from './toolbox.ts'

/** What turns run with. Built once, by wiring/assemble.ts. */
export interface TurnServices extends Services {
  capabilities: Capabilities
  toolbox: Toolbox
  answerers: Answerers
  textStream: TextStream
  liveTexts: LiveTexts
  outputStream: OutputStream
  presenter: Presenter
  formerCalls: FormerCalls
  outages: Outages
  suspects: Suspects
  /** What the turns of this process are doing, for screens. Nothing depends on it, so it isn't stored. */
  statuses: Map<SessionId, Status>
  /** Fetches an upload, wherever it is. */
  fetch(platform: string, file: RemoteFile): Promise<ReadableStream<Uint8Array>>
  /** Called once the upload is in the workspace. */
  drop(file: RemoteFile): Promise<void>
}
