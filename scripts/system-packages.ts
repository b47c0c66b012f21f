/** Debian packages that some tests need, a program that shows each is installed, and what is skipped without it. */
export const systemPackages = [
  { name: 'chromium', program: '/usr/bin/chromium', for: 'the console in a real browser' },
  { name: 'postgresql', program: '/usr/lib/postgresql', for: 'the store on PostgreSQL' },
  { name: 'bubblewrap', program: '/usr/bin/bwrap', for: 'commands and scripts in their sandbox' },
]
