import { isServer } from '../place.ts'
import type { Transfer } from './transfer.ts'

export const transferOf = async (place: string): Promise<Transfer> =>
  isServer(place)
    ? (await import('../postgres/transfer.ts')).postgresTransfer
    : (await import('../sqlite/transfer.ts')).sqliteTransfer
