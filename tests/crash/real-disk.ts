/**
 * Campaigns run on a disk, as bots do: what a kill meets depends on how long a commit takes. And the copy of the bot that they
 * run is code, which a contained reader has to see: it has a /dev of its own, without /dev/shm.
 */
export const realDisk = '/tmp'
