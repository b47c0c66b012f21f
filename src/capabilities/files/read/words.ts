// What read_file says to models.

export const stillReading = (parts: string): string => `It is still being read: so far, ${parts} can be shown.`
