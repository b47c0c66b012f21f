import type {
  APIEmbed,
  APIOverwrite,
  APIRole,
  APIUser,
  ChannelType,
  ComponentType,
  MessageReferenceType,
  MessageType,
} from 'discord-api-types/v10'

/** A component with the fields needed to walk a tree; the others are kept unchanged. */
export interface Component {
  type: ComponentType
  id?: number | null
  custom_id?: string | null
  components?: Component[]
  component?: Component
  accessory?: Component
  content?: string
  label?: string | null
  disabled?: boolean | null
  url?: string | null
  style?: number
  options?: { label: string; value: string; default?: boolean | null }[]
  min_values?: number | null
  max_values?: number | null
  required?: boolean | null
  [key: string]: unknown
}

export interface Attachment {
  id: string
  filename: string
  size: number
  channelId: string
  contentType: string
  description?: string
  ephemeral?: boolean
}

export interface Mentions {
  users: string[]
  roles: string[]
  everyone: boolean
}

export interface InteractionSource {
  id: string
  type: number
  userId: string
  name?: string
  /** The message that the component was on. */
  messageId?: string
  /** For a submitted form: the interaction that opened it. */
  triggeredBy?: InteractionSource
}

export interface Message {
  id: string
  channelId: string
  authorId: string
  type: MessageType
  content: string
  embeds: APIEmbed[]
  components: Component[]
  attachments: Attachment[]
  flags: number
  editedAt?: number
  nonce?: string | number
  reference?: { type?: MessageReferenceType; channelId: string; messageId?: string }
  mentions: Mentions
  /** User ids by emoji, in the order of the first reaction. */
  reactions: Map<string, Set<string>>
  interaction?: InteractionSource
  /** The only person who sees it. */
  ephemeralTo?: string
}

export interface Thread {
  ownerId: string
  archived: boolean
  locked: boolean
  invitable: boolean
  autoArchiveMinutes: number
  archiveChangedAt: number
  /** The time of joining by user id. */
  members: Map<string, number>
  messageCount: number
  totalSent: number
  appliedTags: string[]
}

export interface Channel {
  id: string
  type: ChannelType
  name: string
  position: number
  topic: string | null
  parentId: string | null
  overwrites: APIOverwrite[]
  lastMessageId: string | null
  rateLimitPerUser: number
  /** For direct messages: the person at the other end. */
  recipientId?: string
  /** Where the bot isn't: in which server, or undefined in a conversation between people. */
  elsewhere?: { guildId: string | undefined }
  thread?: Thread
}

export interface Member {
  userId: string
  roles: string[]
  joinedAt: number
}

export type User = APIUser
export type Role = APIRole

export interface UploadedFile {
  name: string
  content: Buffer
  contentType: string
}
