import { slotWords } from '../../model/slots.ts';
import { uploadAsset } from '../../mutations/operations/upload-asset.ts';
import { changeTool, replacing } from './change-tool.ts';

export const uploadAssetTool = changeTool(uploadAsset, {
  title: 'Upload a picture: send an image file, swap a poster',
  description: `Upload an image file: add a ${slotWords('poster')}, ${slotWords('titlecard')}, ${slotWords('logo')} or other artwork to a movie or show, or replace one of your own. It can't be deleted: view_artwork shows the file, dryRun checks it first.`,
  searchHint: 'send submit put single card backdrop cover photo from disk exchange new better version',
  annotations: replacing,
  words: {
    file: 'absolute path or file: URI',
    slot: 'e.g. poster',
    targetKind: 'e.g. movie; needed without setId, groupId',
    previousAssetId: 'replace: the Asset that goes',
    setId: 'into this Set of yours',
    groupId: 'poster of this group of yours',
  },
});
