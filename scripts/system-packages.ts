export interface SystemPackage {
  name: string
  /** Shows that it is installed. */
  program: string
  /** What is skipped without it; unless this is said, tests are red. */
  for?: string
}

/** Debian packages that some tests need. OpenSSL comes with PostgreSQL, ps with Chromium. */
export const systemPackages: SystemPackage[] = [
  { name: 'chromium', program: '/usr/bin/chromium', for: 'the console in a real browser' },
  { name: 'postgresql', program: '/usr/lib/postgresql', for: 'the store on PostgreSQL' },
  { name: 'bubblewrap', program: '/usr/bin/bwrap', for: 'commands and scripts in their sandbox' },
  { name: 'python3', program: '/usr/bin/python3' },
  { name: 'file', program: '/usr/bin/file' },
]
