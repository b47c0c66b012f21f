import { z } from 'zod'

export const bytes = z.int().min(1)
export const milliseconds = z.int().min(1)
