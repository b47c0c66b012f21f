import type { SessionId } from './ids.ts'

/** A person as one platform knows them. `name` is for people and the model; only `id` identifies. */
export interface Person {
  id: string
  name: string
}

/** Where a session lives. `thread` is the id of its root message. */
export interface ThreadRef {
  platform: string
  tenant: string
  project: string
  thread: string
}

/** A file that came with a message and still lies with the platform. `size` in bytes, 0 when unknown. */
export interface RemoteFile {
  id: string
  name: string
  size: number
}

/** What a platform received, in our words. `dedupKey` is made of what the thing is, never of when it came. */
export interface Incoming {
  dedupKey: string
  thread: ThreadRef
  /** Set when the caller names a session that exists: then `thread` is not looked at. */
  session?: SessionId
  person: Person
  text: string
  files: RemoteFile[]
  /** IANA name, such as Europe/Berlin. */
  timeZone?: string
}

/** A file in a workspace. `path` is relative to it, with forward slashes; `type` is a MIME type; `size` in bytes. */
export interface WorkspaceFile {
  name: string
  path: string
  type: string
  size: number
}

/** What the bot says in a thread. */
export interface Outgoing {
  text: string
  files: WorkspaceFile[]
}
