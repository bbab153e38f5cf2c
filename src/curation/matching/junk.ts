/** Endings of pictures that can be uploaded; whether they hold one is told by their bytes, not by their name. */
const uploadable = /\.(?:png|jpe?g|jpe|jfif|webp|gif|tbn)$/i;
/** Endings of pictures that have to be exported as something else first. */
const exportable = /\.(?:apng|avif|heic|heif|bmp|tiff?|tga|ico|svg|jxl)$/i;

/** What systems and programs put beside files. */
const systemFolders =
  /^(?:\..*|__macosx|@eadir|#recycle|\$recycle\.bin|system volume information|lost\+found)$/i;
const systemFiles = /^(?:\..*|~.*|thumbs\.db|ehthumbs.*|desktop\.ini|icon\r)$/i;

export type FileKind = 'uploadable' | 'exportable' | 'junk';

/** What a file is, by its path alone. Junk is what no person means to upload. */
export function kindOfFile(path: string): FileKind {
  const parts = path.split('/');
  const name = parts.at(-1) ?? '';
  if (parts.slice(0, -1).some(isSystemFolder) || systemFiles.test(name)) return 'junk';
  if (uploadable.test(name)) return 'uploadable';
  return exportable.test(name) ? 'exportable' : 'junk';
}

/** Whether a folder is made by the system or a program, and holds no artwork. */
export function isSystemFolder(name: string): boolean {
  return systemFolders.test(name);
}

/** The name without the ending that says what kind of file it is. */
export function stemOf(name: string): string {
  return name.replace(uploadable, '').replace(exportable, '');
}
