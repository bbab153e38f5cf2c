/**
 * Goes up with every change to the layout of a data folder or to its seed. It is in the folder's name, so
 * that two installed versions with different layouts never open the same one.
 */
export const schemaNumber = 3;
