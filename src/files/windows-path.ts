/**
 * What makes a Windows path unfit as a file to upload, or null: paths to other machines (opening one hands
 * the user's credentials to them), devices, streams of files, and names that Windows silently changes, so
 * that the file that is opened is not the one that was named.
 */
export function unfitWindowsPath(path: string): string | null {
  if (/^[\\/]{2}/.test(path)) return 'names another machine or a device';
  if (!/^[a-z]:[\\/]/i.test(path)) return 'does not start with a drive, as in C:\\';
  const names = path.slice(3).split(/[\\/]+/);
  if (names.some((name) => name.includes(':'))) return 'names a stream of a file';
  if (names.some((name) => device.test(name))) return 'names a device';
  if (names.some((name) => /[. ]$/.test(name) && name !== '.' && name !== '..')) {
    return 'has a name that ends in a dot or a space';
  }
  return null;
}

// Windows takes these for devices in every folder, with any extension, and with spaces before it.
const device = /^(con|prn|aux|nul|conin\$|conout\$|clock\$|(com|lpt)[0-9\u00b9\u00b2\u00b3])\s*(\.|$)/i;
