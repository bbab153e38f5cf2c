/** Endings of pictures that can be uploaded; whether they hold one is told by their bytes, not by their name. */
const uploadable = /\.(?:png|jpe?g|jpe|jfif|webp|gif|tbn)$/i;
/** Endings of pictures that have to be exported as something else first. */
const exportable = /\.(?:apng|avif|heic|heif|bmp|tiff?|tga|ico|svg|jxl)$/i;
/** What browsers and services make of an ending: jpg_large, jpg!d, png-orig. */
const spoilt = /\.(?:png|jpe?g|webp|gif)(?:[_!:~@-][\w-]*|%\w+|\?.*|\.(?:\d+|bak|old|orig))$/i;

/** What systems and programs put beside files. */
const systemFolders =
  /^(?:\..*|__macosx|@eadir|#recycle|\$recycle\.bin|system volume information|lost\+found)$/i;
const systemFiles = /^(?:\..*|~.*|thumbs\.db|ehthumbs.*|desktop\.ini|icon\r)$/i;

/** `odd`: nothing in its name says that it is a picture, and its bytes may be one all the same. */
type FileKind = 'uploadable' | 'exportable' | 'odd' | 'junk';

/** What a file is, by its path alone. Junk is what no person means to upload. */
export function kindOfFile(path: string): FileKind {
  const parts = path.split('/');
  const name = parts.at(-1) ?? '';
  if (parts.slice(0, -1).some(isSystemFolder) || systemFiles.test(name)) return 'junk';
  if (uploadable.test(name)) return 'uploadable';
  if (exportable.test(name)) return 'exportable';
  return spoilt.test(name) || !/\.[a-z\d]{1,10}$/i.test(name) ? 'odd' : 'junk';
}

/** Whether a folder is made by the system or a program, and holds no artwork. */
export function isSystemFolder(name: string): boolean {
  return systemFolders.test(name);
}

/** The name without the ending that says what kind of file it is. */
export function stemOf(name: string): string {
  return decoded(name.replace(spoilt, '').replace(uploadable, '').replace(exportable, ''));
}

/** A name as it was before it was made a part of an address: Sherlock%20S01E02. */
export function decoded(name: string): string {
  if (/\s/.test(name) || !/%[\da-f]{2}/i.test(name)) return name;
  try {
    return decodeURIComponent(name);
  } catch {
    // Its signs are its own: 100%ab.
    return name;
  }
}
