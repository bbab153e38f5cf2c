var __defProp = Object.defineProperty;
var __export = (target, all) => {
  for (var name in all)
    __defProp(target, name, { get: all[name], enumerable: true });
};

// src/blobs/blob-store.ts
import { createHash } from "node:crypto";

// src/errors.ts
var ArtworkError = class extends Error {
  name = "ArtworkError";
  category;
  code;
  status;
  details;
  issues;
  next;
  constructor(category2, message, facts = {}) {
    super(message, facts.cause === void 0 ? void 0 : { cause: facts.cause });
    this.category = category2;
    this.code = facts.code ?? category2;
    this.status = facts.status;
    this.details = facts.details;
    this.issues = facts.issues;
    this.next = facts.next;
  }
};
function invalidArguments(what, issues, next) {
  const told = issues.slice(0, mostTold);
  const words = told.map(({ path: path2, message: message2 }) => [path2.join("."), message2].filter(Boolean).join(" "));
  const more = issues.length - told.length;
  const message = `${what}: ${words.join("; ")}${more > 0 ? `; and ${more} more` : ""}.`;
  const places = told.map(({ code, path: path2, message: words2 }) => ({ code, message: inShort(words2), path: path2 }));
  return new ArtworkError("invalid_arguments", message, { issues: places, next });
}
var mostTold = 20;
function inShort(words) {
  return words.split(/: | \(/, 1)[0] ?? words;
}

// src/storage/home.ts
var hasModes = process.platform !== "win32";

// src/blobs/disk-full.ts
var reserve = 16 * 1024 * 1024;

// src/files/open-file.ts
import { constants } from "node:fs";
var readSafely = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

// src/files/read-file.ts
var chunkBytes = 1024 * 1024;
var room = 64 * 1024 * 1024;

// src/blobs/private-folder.ts
var hasModes2 = process.platform !== "win32";

// src/blobs/sweep.ts
var minute = 6e4;
var hour = 60 * minute;
var day = 24 * hour;

// src/blobs/blob-store.ts
function blobKeyOf(owner) {
  return createHash("sha256").update(owner).digest("hex");
}

// src/catalogue/requests/request.ts
function jsonRequest(path2, value, identity) {
  return {
    method: "POST",
    path: path2,
    query: {},
    headers: { "Content-Type": "application/json" },
    body: { kind: "json", value },
    identity
  };
}
function fileRequest(path2, query, { contentType, contentLength, filename }) {
  return {
    method: "POST",
    path: path2,
    query,
    headers: {
      "Content-Type": contentType,
      "Content-Length": String(contentLength),
      "X-Upload-Filename": filename
    },
    body: { kind: "file", bytes: contentLength },
    identity: "documented"
  };
}

// src/mutations/mutation.ts
function writePlace(place) {
  switch (place.in) {
    case "set": {
      const target = place.target === null ? "" : `/${place.target.kind} ${place.target.id}`;
      return `set ${place.setId}${target}/${place.slot}`;
    }
    case "set metadata":
      return `set ${place.setId} metadata`;
    case "group":
      return `group ${place.groupId}/${place.slot}`;
    case "asset":
      return `asset ${place.assetId}`;
    case "new set":
      return `${writeWork(place.work)}/${place.pictures}`;
  }
}
function placeWithoutTarget(place) {
  return place.in === "set" && place.target !== null ? { ...place, target: null } : null;
}
function workOfNewSet(places) {
  const place = places.find((one) => one.in === "new set");
  return place === void 0 ? null : writeWork(place.work);
}
function writeWork({ kind, id: id2 }) {
  return `new set of ${kind} ${id2}`;
}

// src/mutations/operations/index.ts
var operations_exports = {};
__export(operations_exports, {
  assignGroupingAssets: () => assignGroupingAssets,
  changeRelationship: () => changeRelationship,
  createGroup: () => createGroup,
  createGroupingSet: () => createGroupingSet,
  createMediaSet: () => createMediaSet,
  editAssetMetadata: () => editAssetMetadata,
  editGroup: () => editGroup,
  editSet: () => editSet,
  selectPreviewFrame: () => selectPreviewFrame,
  uploadAsset: () => uploadAsset
});

// src/mutations/operations/assign-grouping-assets.ts
import { z as z14 } from "zod";

// src/catalogue/assumed.ts
var groupCreation = bodyOf(
  "clientMutationId",
  "kind",
  "title",
  "description",
  "languageCode",
  "setIds"
);
var groupEdit = bodyOf(
  "clientMutationId",
  "expectedUpdatedAt",
  "title",
  "description",
  "languageCode",
  "setIds"
);
var groupingSetCreation = bodyOf(
  "clientMutationId",
  "setKind",
  "entryTargetKind",
  "entryTargetId",
  "titleBase",
  "description",
  "languageCode",
  "editionId"
);
var brandSetCreation = bodyOf(
  "clientMutationId",
  "setKind",
  "entryTargetKind",
  "entryTargetId",
  "titleBase",
  "description",
  "networkIds",
  "companyIds",
  "languageCode",
  "editionId"
);
var groupingAssignment = bodyOf("clientMutationId", "expectedUpdatedAt", "items");
var assignedItem = bodyOf(
  "itemId",
  "position",
  "targetKind",
  "targetId",
  "slot",
  "existingAssetId",
  "expectedAssetUpdatedAt"
);
var relationshipChange = bodyOf("clientMutationId", "targetKind", "targetId", "relationship");
var previewSelection = bodyOf("clientMutationId", "expectedUpdatedAt", "selectedSourceFrame");
function setMetadataChanges(changes) {
  return changes;
}
function bodyOf(...names) {
  return (values) => {
    const { extra: extra2 = {} } = values;
    const taken2 = names.filter((name) => Object.hasOwn(extra2, name));
    if (taken2.length > 0) {
      throw invalidArguments(
        "extra can't be used",
        taken2.map((name) => ({
          code: "extra",
          message: "is set by another argument of this call",
          path: ["extra", name]
        }))
      );
    }
    const given = new Map(Object.entries(values));
    const fields = names.flatMap((name) => {
      const value = given.get(name);
      return value === void 0 ? [] : [[name, value]];
    });
    return { ...Object.fromEntries(fields), ...extra2 };
  };
}

// src/catalogue/path.ts
function path(parts, ...values) {
  let result = parts[0] ?? "";
  for (const [index, value] of values.entries()) {
    result += segment(String(value)) + (parts[index + 1] ?? "");
  }
  return result;
}
function segment(value) {
  if (new RegExp("^\\.{0,2}$|\\p{Cs}", "u").test(value)) {
    throw new ArtworkError("invalid_arguments", `${JSON.stringify(value)} can't be an id.`);
  }
  return encodeURIComponent(value);
}
function writeQuery(query) {
  const encode = (part) => encodeURIComponent(String(part).replace(new RegExp("\\p{Cs}", "gu"), "\uFFFD"));
  const pairs = Object.entries(query).map(([name, value]) => `${encode(name)}=${encode(value)}`);
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}

// src/catalogue/requests/fields.ts
import { z } from "zod";
var clientMutationId = z.uuid().toLowerCase().brand();
var itemId = z.uuid().toLowerCase().brand();
var assetId = z.guid().brand();
var setId = z.int().min(0).brand();
var groupId = z.union([z.int().min(0), z.string().min(1).max(200)]).brand();
var submissionId = z.string().min(1).max(200).brand();
var word = () => z.string().regex(/^[^\p{Cc}\p{Cs}]{1,100}$/u, "is not a word of at most 100 characters");
var slot = word();
var targetKind = word();
var openKind = word();
var targetId = z.int().min(0);
var targetIds = z.array(targetId).max(500);
var setIds = z.array(setId).max(1e3);
var relatedKind = word();
var relatedId = z.union([targetId, z.string().min(1).max(200)]);
var languageCode = word();
var editionId = z.union([z.string().min(1).max(200), z.int()]).nullable();
var languageChange = languageCode.nullable().optional();
var editionChange = editionId.optional();
var metadataChanges = { languageCode: languageChange, editionId: editionChange };
var title = z.string().min(1);
var description = z.string().nullable();
var position = z.int().min(0);
var assetRevision = z.string().min(1);
var selectedSourceFrame = z.int().min(0);
var deepestExtra = 20;
var extra = z.record(z.string(), z.unknown()).refine((members2) => isWithin(members2, deepestExtra), `is nested more than ${deepestExtra} levels deep`).pipe(z.record(z.string(), z.json())).optional();
function isWithin(value, levels) {
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((inner) => isWithin(inner, levels - 1));
}
var jsonObject = z.record(z.string(), z.unknown()).pipe(z.record(z.string(), z.json()));
var filePath = z.string().min(1);
var safe = /^(?! )[\x20-\x7e]{1,200}(?<! )$/;
var risky = /["%*/:;<>?\\|]/;
var uploadFilename = z.string().refine(
  (name) => safe.test(name) && !risky.test(name) && !/^\.|\.$/.test(name),
  "can not stand in a header as it is"
).brand();
var uploadFile = z.strictObject({
  filename: uploadFilename,
  /** Media type of what the file really is. */
  contentType: z.string().regex(/^[a-z]+\/[a-z0-9][a-z0-9.+-]*$/, "is not a media type"),
  /** Bytes. */
  contentLength: z.int().min(1)
});
var sha256 = z.string().regex(/^[0-9a-f]{64}$/, "is not a SHA-256 in lower-case hexadecimal");
function givenFieldsOf(shape, members2) {
  const named2 = Object.entries(members2).filter(([name]) => Object.hasOwn(shape, name));
  return sparseFields(Object.fromEntries(named2));
}
function sparseFields(members2) {
  const given = Object.entries(members2).filter(([, value]) => value !== void 0);
  return Object.fromEntries(given);
}

// src/catalogue/bounded.ts
var longestToken = 200;
var longestWord = 100;
var longestText = 300;
var longestName = 100;
var mostMembers = 100;
var deepest = 12;
function cutText(text2, longest2) {
  if (text2.length <= longest2) return text2;
  const end = longest2 - 1;
  return `${text2.slice(0, isHighSurrogate(text2.charCodeAt(end - 1)) ? end - 1 : end)}\u2026`;
}
function boundWord(word2) {
  return cutText(word2, longestWord);
}
function boundedId(text2) {
  return text2 === "" || text2.length > longestToken ? null : text2;
}
function boundRecord(record, budget) {
  return JSON.stringify(record).length <= budget ? record : shortened(record, { left: budget }, 0);
}
function bounded(value, room2, depth) {
  if (typeof value === "string") {
    const text2 = cutText(value, longestText);
    room2.left -= text2.length + 3;
    return text2;
  }
  if (typeof value !== "object" || value === null) {
    room2.left -= 8;
    return value;
  }
  if (depth === deepest) return null;
  if (!Array.isArray(value)) return shortened({ ...value }, room2, depth);
  room2.left -= 2;
  const kept = [];
  for (const element of value) {
    if (room2.left <= 0 || kept.length === mostMembers) break;
    kept.push(bounded(element, room2, depth + 1));
  }
  return kept;
}
function shortened(record, room2, depth) {
  const names = Object.keys(record).filter((name) => name.length <= longestName);
  const kept = {};
  const take = (name, value) => {
    if (room2.left <= 0) return;
    room2.left -= name.length + 4;
    kept[name] = bounded(value, room2, depth + 1);
  };
  const isShort = (value) => typeof value === "string" ? value.length <= longestToken : typeof value !== "object" || value === null;
  const short = names.filter((name) => isShort(record[name]));
  const long = names.filter((name) => !isShort(record[name]));
  for (const name of [...short, ...long].slice(0, mostMembers)) take(name, record[name]);
  return kept;
}
function isHighSurrogate(unit) {
  return unit >= 55296 && unit <= 56319;
}

// src/canonical-json.ts
import { createHash as createHash2 } from "node:crypto";
var deepest2 = 100;
function canonicalJson(value) {
  return write(value, 0, (what) => {
    throw new TypeError(`${what} is not JSON`);
  });
}
function canonicalAnswer(value) {
  return write(value, 0, () => "null");
}
function canonicalDigest(canonical) {
  return createHash2("sha256").update(canonical, "utf8").digest("hex");
}
function write(value, depth, unfit) {
  if (depth > deepest2) return unfit(`a value deeper than ${deepest2} levels`);
  switch (typeof value) {
    case "string":
    case "boolean":
      return JSON.stringify(value);
    case "number":
      return Number.isFinite(value) ? JSON.stringify(value) : unfit(String(value));
    case "object":
      if (value === null) return "null";
      return Array.isArray(value) ? writeArray(value, depth, unfit) : writeObject(value, depth, unfit);
    default:
      return unfit(typeof value);
  }
}
function writeArray(value, depth, unfit) {
  return `[${Array.from(value, (item) => write(item, depth + 1, unfit)).join(",")}]`;
}
function writeObject(value, depth, unfit) {
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return unfit("an object of a class");
  const members2 = Object.entries(value).filter(([, member]) => member !== void 0).sort(([a], [b]) => a < b ? -1 : a > b ? 1 : 0).map(([name, member]) => `${JSON.stringify(name)}:${write(member, depth + 1, unfit)}`);
  return `{${members2.join(",")}}`;
}

// src/catalogue/revision.ts
var ownDigest = /^sha256:[0-9a-f]{64}$/;
function revisionOf(record) {
  const { updatedAt: updatedAt2 } = record;
  const shown2 = typeof updatedAt2 === "string" ? boundedId(updatedAt2) : null;
  const revision = shown2 ?? `sha256:${canonicalDigest(canonicalAnswer(record))}`;
  return revision;
}
function serviceRevision(revision) {
  return revision === "" || ownDigest.test(revision) ? null : revision;
}

// src/mutations/operations/arguments.ts
import { z as z4 } from "zod";

// src/mutations/finding.ts
import { z as z2 } from "zod";
var json = z2.json();
var schema = z2.object({
  receipt: json,
  updatedAt: z2.string().nullable(),
  publicationStatus: z2.string().nullable(),
  evidence: z2.object({
    by: z2.enum(["receipt", "lookup", "read_back"]),
    certainty: z2.enum(["certain", "likely", "unknown"]),
    says: z2.string()
  }),
  warnings: z2.array(z2.object({ code: z2.string(), message: z2.string() })),
  title: z2.string().optional(),
  items: z2.array(
    z2.object({
      itemId: z2.string(),
      status: z2.string().nullable(),
      assetId: z2.string().nullable(),
      error: z2.object({ code: z2.string(), message: z2.string() }).nullable()
    })
  ).optional()
});
var ofReceipt = schema.pick({ receipt: true, evidence: true, title: true });
var deepest3 = 40;
function asJson(value, depth = 0) {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      return Number.isFinite(value) ? value + 0 : null;
    case "object": {
      if (value === null || depth > deepest3) return null;
      if (Array.isArray(value)) return value.map((item) => asJson(item, depth + 1));
      return asJsonObject(value, depth);
    }
    default:
      return null;
  }
}
function asJsonObject(value, depth = 0) {
  const members2 = [];
  for (const [name, member] of Object.entries(value)) {
    if (member !== void 0) members2.push([name, asJson(member, depth + 1)]);
  }
  return Object.fromEntries(members2);
}

// src/mutations/submission.ts
import { z as z3 } from "zod";
import { createHash as createHash3 } from "node:crypto";
var declaredFile = z3.strictObject({ ...uploadFile.shape, sha256 });
function fileItems({ items }) {
  return items.filter((item) => item.file !== null);
}
function deriveItemId(clientMutationId2, index) {
  return deriveUuid(clientMutationId2, String(index));
}
function deriveUuid(within2, name) {
  const namespace = Buffer.from(within2.replaceAll("-", ""), "hex");
  const digest = createHash3("sha1").update(namespace).update(name).digest();
  const bytes = digest.subarray(0, 16);
  bytes.writeUInt8(bytes.readUInt8(6) & 15 | 80, 6);
  bytes.writeUInt8(bytes.readUInt8(8) & 63 | 128, 8);
  const hex = bytes.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
var failure = z3.object({ code: z3.string(), message: z3.string() });
var schema2 = z3.object({
  /** Where the bytes are kept, for people. */
  machine: z3.string(),
  /** The name under which they are kept there. */
  keeper: z3.string(),
  /** The admission's body, byte for byte. */
  admission: z3.string(),
  /** Null until the service has said it. */
  submissionId: z3.string().nullable(),
  /** The words of the items with files before anything was sent for one of them; null until they were read. */
  untouched: z3.array(z3.string().nullable()).nullable(),
  /** No file from this number on has ever been sent. */
  mark: z3.int().nonnegative(),
  /** Those of the others that are not known to have arrived. */
  open: z3.array(z3.int().nonnegative()),
  /** Those that the service turned away for good. */
  refused: z3.array(z3.object({ ...failure.shape, item: z3.int().nonnegative() })),
  /** How often it was worked on, in a row, without anything new. */
  idle: z3.int().nonnegative(),
  /** Whether the service's own word for it was `unresolved` when it was last asked (States, rule 6). */
  unconfirmed: z3.boolean().default(false),
  /** Why it was left as it is. */
  stopped: failure.nullable()
});
function readCheckpoint(progress) {
  const parsed = schema2.safeParse(progress);
  return parsed.success ? parsed.data : null;
}
function readBlobOwner(progress) {
  const parsed = schema2.pick({ keeper: true }).safeParse(progress);
  return parsed.success ? parsed.data.keeper : null;
}
var noted = z3.looseObject({ file: z3.string() });
function fileInProgress(progress) {
  const parsed = noted.safeParse(progress);
  return parsed.success ? parsed.data.file : null;
}

// src/mutations/operations/arguments.ts
var expectedUpdatedAt = z4.string().min(1).nullable().transform((revision) => revision === "none" ? null : revision);
var guarded = { clientMutationId, expectedUpdatedAt };
function defineArguments(shape) {
  return z4.strictObject({ ...guarded, ...shape });
}
function checkArguments(schema3, given) {
  const parsed = schema3.safeParse(given);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ code, message, path: path2 }) => ({
    code,
    message,
    path: path2.map(String)
  }));
  throw invalidArguments("These arguments can't be used", issues);
}
function requireNoRevision(expectedUpdatedAt2) {
  if (expectedUpdatedAt2 === null || expectedUpdatedAt2 === "none") return;
  const message = 'expectedUpdatedAt must be "none" (or null): what is made anew has no revision yet.';
  throw new ArtworkError("invalid_arguments", message, {
    issues: [{ code: "revision", message: 'must be "none"', path: ["expectedUpdatedAt"] }]
  });
}
function requireServiceRevision(revision, path2 = ["expectedUpdatedAt"]) {
  const known = revision === null ? null : serviceRevision(revision);
  if (known !== null) return known;
  const message = "is not a revision of the service, which is all it can compare";
  throw invalidArguments("These arguments can't be used", [{ code: "revision", message, path: path2 }]);
}
function revisionToSend(revision) {
  return revision === null ? requireServiceRevision(revision) : serviceRevision(revision) ?? void 0;
}
function intentOf(args3) {
  const { clientMutationId: _, ...rest } = { clientMutationId: null, ...args3 };
  return asJsonObject(rest);
}
var noRevision = () => ({ of: "nothing" });
var relationshipRevision = () => ({ of: "relationship" });
function ownedRevision(type, argument) {
  return (given) => ({ of: "owned", type, id: given[argument] });
}
function withItemIds(clientMutationId2, items) {
  return items.map((item, index) => {
    const position2 = item.position ?? index;
    const derived = () => itemId.parse(deriveItemId(clientMutationId2, position2));
    return { ...item, position: position2, itemId: item.itemId ?? derived() };
  });
}
function distinctItemValuesOf(item) {
  const { targetKind: targetKind2, targetId: targetId2, slot: slot2 } = item;
  return [...distinctItemIdsOf(item), { name: "slot", value: `${slot2} of ${targetKind2} ${targetId2}` }];
}
function distinctItemIdsOf({
  itemId: itemId2,
  position: position2
}) {
  return [
    { name: "itemId", value: itemId2 },
    { name: "position", value: String(position2) }
  ];
}
function requireDistinctItems(items, context, list) {
  const first = /* @__PURE__ */ new Map();
  for (const [index, taken2] of items.entries()) {
    for (const { name, value } of taken2) {
      const key = `${name} ${value}`;
      const before = first.get(key);
      if (before === void 0) first.set(key, index);
      else {
        const message = `is that of item ${before} too: ${value}`;
        context.addIssue({ code: "custom", message, path: [list, index, name] });
      }
    }
  }
}

// src/catalogue/records/feeds.ts
import { z as z6 } from "zod";

// src/catalogue/records/fields.ts
import { z as z5 } from "zod";
var id = z5.union([z5.number(), z5.string()]).transform((value) => typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value).nullish();
var number = z5.union([
  z5.number(),
  z5.string().regex(/^-?\d{1,15}$/).transform(Number)
]).nullish();
var text = z5.string().nullish();
var flag = z5.boolean().nullish();
var date = text;
var timestamp = text;
var assetPath = text;
function listOf(item) {
  return z5.array(item).nullish();
}
function assetGroups(...groups) {
  return z5.looseObject(members(groups, z5.array(z5.unknown()).nullish())).nullish();
}
function metadataImages(...names) {
  return z5.looseObject(members(names, text)).nullish();
}
function assetPaths(...slots) {
  return members(slots, assetPath);
}
function members(names, schema3) {
  return Object.fromEntries(names.map((name) => [name, schema3]));
}
var titledReference = z5.looseObject({ id, kind: text, title: text });
var groupReference = z5.looseObject({ id, title: text });
var setFields = {
  id,
  title: text,
  description: text,
  createdBy: text,
  dateCreated: timestamp,
  dateUpdated: timestamp
};

// src/catalogue/records/feeds.ts
var pageMetadata = z6.looseObject({ snapshot: text, page: number, totalPages: number, nextPage: text }).nullish();
var replacement = z6.looseObject({ previousAssetId: text, newAssetId: text, changedAt: timestamp });
var assetFeed = {
  path: path`/feeds/assets`,
  schema: z6.looseObject({
    assetId: text,
    kind: text,
    slot: text,
    target: z6.looseObject({ id, kind: text }).nullish(),
    changeType: text,
    changedAt: timestamp,
    previousAssetId: text,
    replacements: listOf(replacement)
  })
};
var setFeed = {
  path: path`/feeds/sets`,
  schema: z6.looseObject({ setId: id, kind: text, changeType: text, changedAt: timestamp })
};
var episodesIndex = {
  path: path`/episodes`,
  schema: z6.looseObject({
    id,
    title: text,
    year: number,
    seasonNumber: number,
    episodeNumber: number,
    show: titledReference.nullish(),
    season: titledReference.extend({ seasonNumber: number }).nullish()
  })
};

// src/catalogue/records/sets.ts
import { z as z7 } from "zod";
var episode = z7.looseObject({ id, episodeNumber: number, ...assetPaths("titlecard") });
var season = z7.looseObject({
  id,
  seasonNumber: number,
  ...assetPaths("poster", "backdrop"),
  episodes: listOf(episode)
});
var showSet = {
  kind: "show_set",
  path: (setId2) => path`/show-set/${setId2}`,
  schema: z7.looseObject({
    ...setFields,
    language: text,
    boxset: groupReference.nullish(),
    show: z7.looseObject({
      id,
      title: text,
      year: number,
      ...assetPaths("poster", "backdrop", "logo", "squareArt", "thumb"),
      seasons: listOf(season)
    }).nullish()
  })
};
var movieSet = {
  kind: "movie_set",
  path: (setId2) => path`/movie-set/${setId2}`,
  schema: z7.looseObject({
    ...setFields,
    language: text,
    edition: text,
    boxset: groupReference.nullish(),
    movie: z7.looseObject({
      id,
      title: text,
      year: number,
      ...assetPaths("poster", "backdrop", "logo", "squareArt", "thumb")
    }).nullish()
  })
};
var movie = z7.looseObject({
  id,
  title: text,
  year: number,
  ...assetPaths("poster", "backdrop", "logo", "squareArt", "thumb")
});
var collectionSet = {
  kind: "collection_set",
  path: (setId2) => path`/collection-set/${setId2}`,
  schema: z7.looseObject({
    ...setFields,
    language: text,
    edition: text,
    boxset: groupReference.nullish(),
    collection: z7.looseObject({
      id,
      title: text,
      ...assetPaths("poster", "backdrop", "logo", "squareArt"),
      movies: listOf(movie)
    }).nullish()
  })
};
var gameSet = {
  kind: "game_set",
  path: (setId2) => path`/game-set/${setId2}`,
  schema: z7.looseObject({
    ...setFields,
    language: text,
    loadout: groupReference.nullish(),
    game: z7.looseObject({
      id,
      title: text,
      year: number,
      ...assetPaths("cover", "hero", "logo", "wideCover", "background", "squareCover", "icon")
    }).nullish()
  })
};
var brand = z7.looseObject({ id, name: text, ...assetPaths("poster", "thumb", "logo") });
var brandSet = {
  kind: "brand_set",
  path: (setId2) => path`/brand-set/${setId2}`,
  schema: z7.looseObject({ ...setFields, networks: listOf(brand), companies: listOf(brand) })
};
var work = z7.looseObject({ id, title: text, year: number }).nullish();
var boxsetMember = z7.looseObject({
  id,
  kind: text,
  title: text,
  createdBy: text,
  dateUpdated: timestamp,
  show: work,
  movie: work
});
var boxset = {
  kind: "boxset",
  path: (setId2) => path`/boxsets/${setId2}`,
  schema: z7.looseObject({ ...setFields, language: text, poster: assetPath, sets: listOf(boxsetMember) })
};
var loadoutMember = z7.looseObject({
  id,
  title: text,
  createdBy: text,
  dateUpdated: timestamp,
  game: z7.looseObject({ id, title: text, year: number }).nullish()
});
var loadout = {
  kind: "loadout",
  path: (setId2) => path`/loadouts/${setId2}`,
  schema: z7.looseObject({ ...setFields, language: text, poster: assetPath, sets: listOf(loadoutMember) })
};

// src/catalogue/records/entities.ts
import { z as z8 } from "zod";
var show = {
  kind: "show",
  path: (showId) => path`/shows/${showId}`,
  schema: z8.looseObject({
    id,
    kind: text,
    title: text,
    overview: text,
    tagline: text,
    status: text,
    year: number,
    firstAirDate: date,
    lastAirDate: date,
    numberOfSeasons: number,
    numberOfEpisodes: number,
    metadataImages: metadataImages("poster", "backdrop", "logo"),
    assets: assetGroups("posters", "backdrops", "logos", "squareArts", "thumbs"),
    seasons: listOf(z8.looseObject({ id, kind: text, title: text, seasonNumber: number, airDate: date })),
    sets: listOf(z8.looseObject({ id, createdBy: text, title: text, dateUpdated: timestamp }))
  })
};
var season2 = {
  kind: "season",
  path: (seasonId) => path`/seasons/${seasonId}`,
  schema: z8.looseObject({
    id,
    kind: text,
    title: text,
    seasonNumber: number,
    airDate: date,
    metadataImages: metadataImages("poster"),
    assets: assetGroups("posters", "backdrops"),
    show: titledReference.nullish(),
    episodes: listOf(z8.looseObject({ id, kind: text, title: text, episodeNumber: number, airDate: date }))
  })
};
var episode2 = {
  kind: "episode",
  path: (episodeId) => path`/episodes/${episodeId}`,
  schema: z8.looseObject({
    id,
    kind: text,
    title: text,
    seasonNumber: number,
    episodeNumber: number,
    airDate: date,
    show: titledReference.nullish(),
    season: titledReference.extend({ seasonNumber: number }).nullish(),
    assets: assetGroups("titlecards")
  })
};
var movie2 = {
  kind: "movie",
  path: (movieId) => path`/movies/${movieId}`,
  schema: z8.looseObject({
    id,
    kind: text,
    title: text,
    overview: text,
    tagline: text,
    status: text,
    releaseDate: date,
    runtimeMinutes: number,
    filmedForImax: flag,
    metadataImages: metadataImages("poster", "backdrop", "logo"),
    assets: assetGroups("posters", "backdrops", "logos", "squareArts", "thumbs"),
    collection: titledReference.nullish()
  })
};
var collection = {
  kind: "collection",
  path: (collectionId) => path`/collections/${collectionId}`,
  schema: z8.looseObject({
    id,
    kind: text,
    title: text,
    overview: text,
    firstReleaseDate: date,
    latestReleaseDate: date,
    metadataImages: metadataImages("poster", "backdrop", "logo"),
    assets: assetGroups("posters", "backdrops", "logos", "squareArts"),
    movies: listOf(z8.looseObject({ id, kind: text, title: text, releaseDate: date }))
  })
};
var game = {
  kind: "game",
  path: (gameId) => path`/games/${gameId}`,
  schema: z8.looseObject({
    id,
    kind: text,
    title: text,
    summary: text,
    storyline: text,
    gameType: text,
    firstReleaseDate: date,
    metadataImages: metadataImages("poster", "backdrop", "logo"),
    assets: assetGroups("covers", "heroes", "logos", "wideCovers", "backgrounds", "squareCovers", "icons"),
    developers: listOf(z8.looseObject({ name: text, role: text })),
    publishers: listOf(z8.string()),
    engines: listOf(z8.unknown()),
    genres: listOf(z8.string()),
    platforms: listOf(z8.looseObject({ name: text, abbreviation: text })),
    relatedGames: listOf(z8.looseObject({ id, kind: text, title: text, firstReleaseDate: date }))
  })
};
var company = {
  kind: "company",
  path: (companyId) => path`/companies/${companyId}`,
  schema: z8.looseObject({
    id,
    kind: text,
    name: text,
    description: text,
    homepage: text,
    headquartersCountry: text,
    originCountry: text,
    metadataImages: metadataImages("logo"),
    assets: assetGroups("posters", "thumbs", "logos"),
    parentCompany: z8.unknown().optional()
  })
};
var network = {
  kind: "network",
  path: (networkId) => path`/networks/${networkId}`,
  schema: z8.looseObject({
    id,
    kind: text,
    name: text,
    homepage: text,
    originCountry: text,
    metadataImages: metadataImages("logo"),
    assets: assetGroups("posters", "thumbs", "logos")
  })
};
var person = {
  kind: "person",
  path: (personId) => path`/people/${personId}`,
  schema: z8.looseObject({
    id,
    kind: text,
    name: text,
    biography: text,
    birthday: date,
    deathday: date,
    placeOfBirth: text,
    knownForDepartment: text,
    homepage: text,
    metadataImages: metadataImages("profile"),
    assets: assetGroups("posters")
  })
};
var category = {
  kind: "category",
  path: (categoryId) => path`/categories/${categoryId}`,
  schema: z8.looseObject({
    id,
    kind: text,
    name: text,
    description: text,
    group: text,
    assets: assetGroups("posters", "thumbs")
  })
};

// src/catalogue/records/index.ts
var entities = {
  show,
  season: season2,
  episode: episode2,
  movie: movie2,
  collection,
  game,
  company,
  network,
  person,
  category
};

// src/catalogue/slots.ts
var slotsOf = {
  show: ["poster", "backdrop", "logo", "squareArt", "thumb"],
  season: ["poster", "backdrop"],
  episode: ["titlecard"],
  movie: ["poster", "backdrop", "logo", "squareArt", "thumb"],
  collection: ["poster", "backdrop", "logo", "squareArt"],
  game: ["cover", "hero", "logo", "wideCover", "background", "squareCover", "icon"],
  company: ["poster", "thumb", "logo"],
  network: ["poster", "thumb", "logo"],
  person: ["poster"],
  category: ["poster", "thumb"]
};
var allSlots = [...new Set(Object.values(slotsOf).flat())];

// src/text.ts
var suspect = (
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose
  /[\ufe00-\ufe0f\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\p{Cs}\u{e0000}-\u{e01ef}]/u
);
var lineEnds = /\r\n?|[\u0085\u2028\u2029]/g;
var controls = new RegExp("[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f]|\\p{Cs}", "gu");
var bidirectional = new RegExp("\\p{Bidi_Control}", "gu");
var invisible = /[\u00ad\u200b\u2060-\u2064\u206a-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]/g;
var strayJoiners = new RegExp("(?<![\\p{L}\\p{M}\\p{Extended_Pictographic}\\p{Emoji_Modifier}])[\\u200c\\u200d]|(?<=\\p{Script=Latin})[\\u200c\\u200d]", "gu");
var strayVariations = /(?<=[\ufe00-\ufe0f\u{e0100}-\u{e01ef}])[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]+/gu;
var tags = /(\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{1,6}\u{e007f})|[\u{e0000}-\u{e007f}]/gu;
function cleanText(text2) {
  if (!suspect.test(text2)) return text2;
  return text2.replace(lineEnds, "\n").replace(controls, "").replace(bidirectional, "").replace(invisible, "").replace(tags, "$1").replace(strayVariations, "").replace(strayJoiners, "");
}

// src/catalogue/records/read-member.ts
function textAt(record, ...names) {
  for (const name of names) {
    const value = record[name];
    if (typeof value === "string" && value !== "") return value;
  }
  return null;
}
function wordAt(record, ...names) {
  const word2 = textAt(record, ...names);
  return word2 === null ? null : boundWord(word2);
}
function idAt(record, ...names) {
  for (const name of names) {
    const value = record[name];
    if (typeof value === "number" && Number.isFinite(value)) return String(value);
    const id2 = typeof value === "string" ? boundedId(value) : null;
    if (id2 !== null) return id2;
  }
  return null;
}
var longestKept = 6e3;
function boundedRecordOf(record) {
  return boundRecord(record, longestKept);
}
function recordAt(record, name) {
  const value = record[name];
  return isRecord(value) ? value : {};
}
function readPublication(...records) {
  for (const record of records) {
    const publicationStatus = wordAt(record, "publicationStatus");
    if (publicationStatus !== null) return { publication: stateOf(publicationStatus), publicationStatus };
  }
  return { publication: "unknown", publicationStatus: null };
}
function stateOf(word2) {
  switch (word2) {
    case "not_required":
    case "pending":
    case "succeeded":
      return word2;
    default:
      return "unknown";
  }
}
function isRecord(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

// src/catalogue/target-names.ts
var longest = 80;
function shortName(text2) {
  if (typeof text2 !== "string") return "";
  const letters = [...cleanText(text2.slice(0, 1e3)).replace(/\s+/gu, " ").trim()];
  return letters.length <= longest ? letters.join("") : `${letters.slice(0, longest - 1).join("")}\u2026`;
}

// src/mutations/names.ts
function nameIn(names, kind, id2) {
  const key = keyOf(kind, id2);
  const name = Object.hasOwn(names, key) ? shortName(names[key]) : "";
  return name === "" ? void 0 : name;
}
function nameWithId({ kind, id: id2 }, name) {
  return name ? `${name} (${kind} ${id2})` : `${kind} ${id2}`;
}
function nameOfArtwork(slot2, target) {
  return `${shortName(slot2)} of ${target}`;
}
function keyOf(kind, id2) {
  return `${kind} ${String(id2).toLowerCase()}`;
}

// src/wire/map-limit.ts
async function mapLimit(elements, few3, work2) {
  const results = /* @__PURE__ */ new Map();
  const queue = elements.entries();
  let failed = false;
  const take = async () => {
    for (const [index, element] of queue) {
      if (failed) return;
      try {
        results.set(index, await work2(element, index));
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const takers = Array.from({ length: Math.min(few3, elements.length) }, take);
  const failure2 = (await Promise.allSettled(takers)).find((one) => one.status === "rejected");
  if (failure2 !== void 0) throw failure2.reason;
  return [...results].sort(([one], [other]) => one - other).map(([, result]) => result);
}

// src/mutations/checks/targets.ts
var few = 4;
var readMs = 15e3;
function issueOfTarget({ targetKind: targetKind2, targetId: targetId2, at: at2 }, found, entry, { nameOf: nameOf2 }) {
  const known = found.get(targetKey({ kind: targetKind2, id: targetId2 }));
  if (known === void 0) return [];
  const path2 = [...at2, "targetId"];
  if (known === null) return [{ code: "target", message: `there is no ${targetKind2} ${targetId2}`, path: path2 }];
  if (entry === null || isTargetWithin({ kind: targetKind2, id: targetId2 }, known, entry)) return [];
  const target = nameWithId({ kind: targetKind2, id: targetId2 }, nameOf2(targetKind2, targetId2));
  const message = `${target} does not belong to ${nameWithId(entry, nameOf2(entry.kind, entry.id))}`;
  return [{ code: "target", message, path: path2 }];
}
function isTargetWithin(target, { show: show2, collection: collection2 }, entry) {
  if (target.kind === entry.kind) return target.id === entry.id;
  switch (entry.kind) {
    case "show":
      return target.kind === "season" || target.kind === "episode" ? show2 === null || show2 === entry.id : !isEntityKind(target.kind);
    case "collection":
      return target.kind === "movie" ? collection2 === null || collection2 === entry.id : !isEntityKind(target.kind);
    default:
      return !isEntityKind(entry.kind) || !isEntityKind(target.kind);
  }
}
async function findTargets(catalogue, named2, call3) {
  const targets = named2.flatMap(({ kind, id: id2 }) => targetOf(kind, id2));
  const found = /* @__PURE__ */ new Map();
  const seasons = /* @__PURE__ */ new Set();
  const learnSeason = async (seasonId) => {
    if (seasons.has(seasonId)) return;
    seasons.add(seasonId);
    const season3 = await read(catalogue, "season", seasonId, call3);
    const show2 = numberOf(season3?.show?.id);
    for (const { id: id2 } of season3?.episodes ?? []) {
      if (typeof id2 === "number") found.set(targetKey({ kind: "episode", id: id2 }), { show: show2, collection: null });
    }
  };
  const distinct = [...new Map(targets.map((target) => [targetKey(target), target])).values()];
  const episodes = distinct.filter(({ kind }) => kind === "episode");
  await mapLimit(
    distinct.filter(({ kind }) => kind !== "episode"),
    few,
    async (target) => {
      const one = await findOne(catalogue, target, call3);
      if (one !== void 0) found.set(targetKey(target), one);
    }
  );
  for (const target of episodes) {
    if (found.has(targetKey(target))) continue;
    const episode3 = await read(catalogue, "episode", target.id, call3);
    if (episode3 === void 0) continue;
    const show2 = numberOf(episode3?.show?.id);
    found.set(targetKey(target), episode3 === null ? null : { show: show2, collection: null });
    const seasonId = numberOf(episode3?.season?.id);
    if (seasonId !== null && episodes.length > 1) await learnSeason(seasonId);
  }
  return found;
}
async function findOne(catalogue, { kind, id: id2 }, call3) {
  switch (kind) {
    case "season": {
      const season3 = await read(catalogue, kind, id2, call3);
      return !season3 ? season3 : { show: numberOf(season3.show?.id), collection: null };
    }
    case "movie": {
      const movie3 = await read(catalogue, kind, id2, call3);
      return !movie3 ? movie3 : { show: null, collection: numberOf(movie3.collection?.id) };
    }
    default: {
      const record = await read(catalogue, kind, id2, call3);
      return record ? { show: null, collection: null } : record;
    }
  }
}
async function read(catalogue, kind, id2, call3) {
  try {
    const deadlineMs = Math.min(call3.deadlineMs ?? readMs, readMs);
    return await catalogue.readEntity(kind, id2, { ...call3, deadlineMs });
  } catch (error) {
    if (!(error instanceof ArtworkError)) throw error;
    switch (error.category) {
      case "not_found":
        return null;
      case "forbidden":
      case "snapshot_expired":
      case "bad_response":
        return void 0;
      default:
        throw error;
    }
  }
}
function targetOf(kind, id2) {
  return isEntityKind(kind) ? [{ kind, id: id2 }] : [];
}
function isEntityKind(kind) {
  return Object.hasOwn(entities, kind);
}
function targetKey({ kind, id: id2 }) {
  return `${kind} ${id2}`;
}
function numberOf(id2) {
  return typeof id2 === "number" ? id2 : null;
}

// src/mutations/checks/objection.ts
import { z as z9 } from "zod";
var replacedCode = "asset.replaced";
var occupiedCode = "slot.occupied";
var toldOccupants = z9.object({
  standing: z9.array(
    z9.object({
      at: z9.string().optional(),
      assetId: z9.string(),
      updatedAt: z9.string().nullable(),
      give: z9.record(z9.string(), z9.unknown()).optional()
    })
  ).min(1),
  of: z9.int().optional()
});

// src/mutations/checks/shown-records.ts
import { z as z10 } from "zod";
function shownAssetOf({ records }, assetId2) {
  return readShownAsset(records.get(`Asset ${assetId2}`));
}
var mostFollowed = 20;
async function readLastReplacement(seen, first) {
  let assetId2 = first;
  for (let followed = 0; ; followed += 1) {
    const record = await readIfMay(seen, assetId2);
    if (record === null) return { assetId: assetId2, updatedAt: null };
    const { replacedByAssetId } = readShownAsset(record);
    if (!replacedByAssetId || followed === mostFollowed) return { assetId: assetId2, updatedAt: revisionOf(record) };
    assetId2 = replacedByAssetId;
  }
}
async function readOccupant(seen, { assetId: assetId2, updatedAt: updatedAt2 }) {
  if (updatedAt2 !== null) return { assetId: assetId2, updatedAt: updatedAt2 };
  const record = await readIfMay(seen, assetId2);
  return { assetId: assetId2, updatedAt: record === null ? null : revisionOf(record) };
}
async function readIfMay({ owned, call: call3 }, assetId2) {
  try {
    return await owned.readAsset(assetId2, call3);
  } catch (error) {
    if (error instanceof ArtworkError && error.category !== "cancelled") return null;
    throw error;
  }
}
function occupiedObjection({ assetId: assetId2, updatedAt: updatedAt2 }, path2, at2, put) {
  const how = put === null ? "" : ": what stands there is replaced, not added to";
  return {
    category: "conflict",
    code: occupiedCode,
    message: `is taken by Asset ${assetId2}${revisionWords(updatedAt2)}${how}`,
    path: path2,
    at: at2,
    occupant: { assetId: assetId2, updatedAt: updatedAt2 },
    ...updatedAt2 === null || put === null ? {} : { put: put(updatedAt2) }
  };
}
function replacedObjection(previous, { assetId: assetId2, updatedAt: updatedAt2 }, path2, at2, put) {
  return {
    category: "conflict",
    code: replacedCode,
    message: `names Asset ${previous}, which was replaced: Asset ${assetId2}${revisionWords(updatedAt2)} stands there now`,
    path: path2,
    at: at2,
    occupant: { assetId: assetId2, updatedAt: updatedAt2 },
    ...updatedAt2 === null ? {} : { put: put(updatedAt2) }
  };
}
function revisionWords(updatedAt2) {
  return updatedAt2 === null ? "" : ` (updatedAt ${updatedAt2})`;
}
var reference = z10.looseObject({ kind: z10.string(), id: z10.int() });
var shown = (value) => value.optional().catch(void 0);
var asset = z10.object({
  slot: shown(z10.string()),
  target: shown(reference.nullable()),
  setId: shown(z10.int().nullable()),
  replacedByAssetId: shown(z10.guid().nullable()),
  frames: shown(z10.int()),
  updatedAt: shown(z10.string().min(1))
});
function readShownAsset(record) {
  const parsed = asset.safeParse(record);
  return parsed.success ? parsed.data : {};
}
var where = z10.union([
  z10.looseObject({ target: reference }).transform(({ target: { kind, id: id2 } }) => ({ kind, id: id2 })),
  z10.looseObject({ targetKind: z10.string(), targetId: z10.int() }).transform(({ targetKind: kind, targetId: id2 }) => ({ kind, id: id2 }))
]);
var listed = z10.object({ id: z10.guid(), slot: z10.string(), updatedAt: shown(z10.string().min(1)) });
var set = z10.object({
  kind: shown(z10.string()),
  setKind: shown(z10.string()),
  target: shown(reference.nullable()),
  networks: shown(z10.array(z10.looseObject({ id: z10.int() }))),
  companies: shown(z10.array(z10.looseObject({ id: z10.int() }))),
  group: shown(z10.looseObject({ id: z10.int() }).nullable()),
  assets: shown(z10.array(z10.unknown()))
});
function readShownSet(record) {
  const parsed = set.safeParse(record);
  if (!parsed.success) return { assets: void 0 };
  const assets = parsed.data.assets?.map(heldAsset);
  const known = assets?.filter((one) => one !== null);
  return { ...parsed.data, assets: known?.length === assets?.length ? known : void 0 };
}
function heldAsset(record) {
  const [own, target] = [listed.safeParse(record), where.safeParse(record)];
  if (!own.success || !target.success) return null;
  const { id: id2, slot: slot2, updatedAt: updatedAt2 } = own.data;
  return { assetId: id2, target: target.data, slot: slot2, updatedAt: updatedAt2 ?? null };
}
function shownAssetInPlace({ assets }, { kind, id: id2 }, slot2) {
  return assets?.find((one) => one.slot === slot2 && one.target.kind === kind && one.target.id === id2);
}
var group = z10.object({ poster: shown(listed.nullable()) });
function shownPosterOf(record) {
  const parsed = group.safeParse(record);
  return parsed.success ? parsed.data.poster : void 0;
}
function isSameAssetId(one, other) {
  return one.toLowerCase() === other.toLowerCase();
}
var shownSets = ["movie", "show", "collection", "game"];
function objectionsOutsideSet(target, set2, found, at2) {
  const objection = (message) => [
    { category: "invalid_arguments", message, path: [...at2, "targetId"] }
  ];
  if (set2.target) {
    const known = found.get(targetKey(target)) ?? { show: null, collection: null };
    if (isTargetWithin(target, known, set2.target)) return [];
    const { kind, id: id2 } = set2.target;
    const own = objection(`is ${target.kind} ${target.id}, which does not belong to the Set's ${kind} ${id2}`);
    return shownSets.includes(kind) ? own : own.map((one) => ({ ...one, doubtful: true }));
  }
  const { networks, companies } = set2;
  if (networks === void 0 || companies === void 0) return [];
  const members2 = [
    ...networks.map(({ id: id2 }) => ({ kind: "network", id: id2 })),
    ...companies.map(({ id: id2 }) => ({ kind: "company", id: id2 }))
  ];
  if (members2.some(({ kind, id: id2 }) => kind === target.kind && id2 === target.id)) return [];
  const names = members2.map(({ kind, id: id2 }) => `${kind} ${id2}`).join(", ");
  return objection(`is ${target.kind} ${target.id}, and the Set is of ${names}`);
}
function setKindIn({ setKind, kind }) {
  const word2 = setKind ?? kind;
  switch (word2) {
    case void 0:
      return null;
    case "media_set":
    case "movie_set":
    case "show_set":
    case "collection_set":
    case "game_set":
      return "media_set";
    case "talent_set":
    case "brand_set":
    case "category_set":
      return word2;
    default:
      return null;
  }
}

// src/mutations/checks/check-artwork.ts
async function checkUpload(place, seen) {
  const { slot: slot2, setId: setId2, groupId: groupId2, previousAssetId } = place;
  const named2 = targetOf2(place);
  const set2 = setId2 === void 0 ? null : readShownSet(seen.records.get(`Set ${setId2}`));
  const target = named2 === null ? [] : await checkTarget({ ...named2, slot: slot2 }, set2, seen);
  if (target.some(({ doubtful }) => doubtful !== true)) return target;
  if (previousAssetId !== void 0)
    return [...target, ...await checkPrevious(place, previousAssetId, seen)];
  const there = await whatStands(place, named2, set2, seen);
  if (there === null) return target;
  const put = (expectedUpdatedAt2) => ({
    operation: "replace",
    previousAssetId: there.assetId,
    expectedUpdatedAt: expectedUpdatedAt2
  });
  const of = groupId2 === void 0 ? `${slot2}` : "poster";
  const objection = occupiedObjection(there, ["slot"], [], put);
  return [{ ...objection, message: `${of} ${objection.message}` }];
}
function targetOf2({ targetKind: targetKind2, targetId: targetId2 }) {
  return targetKind2 === void 0 || targetId2 === void 0 ? null : { targetKind: targetKind2, targetId: targetId2 };
}
async function checkTarget(place, set2, seen) {
  const { targetKind: kind, targetId: id2 } = place;
  const found = await findTargets(seen.catalogue, [{ kind, id: id2 }], seen.call);
  const issues = issueOfTarget({ ...place, at: [] }, found, null, seen.catalogue);
  if (issues.length > 0) {
    return issues.map(({ message, path: path2 }) => ({
      category: "invalid_arguments",
      message: `names nothing: ${message}`,
      path: path2
    }));
  }
  return set2 === null ? [] : objectionsOutsideSet({ kind, id: id2 }, set2, found, []);
}
async function whatStands({ slot: slot2, groupId: groupId2 }, named2, set2, seen) {
  if (groupId2 !== void 0) {
    const poster = shownPosterOf(seen.records.get(`group ${groupId2}`));
    if (!poster) return null;
    return readOccupant(seen, { assetId: poster.id, updatedAt: poster.updatedAt ?? null });
  }
  if (set2 === null) return null;
  const target = named2 === null ? set2.target ?? null : { kind: named2.targetKind, id: named2.targetId };
  const lease = target === null ? void 0 : shownAssetInPlace(set2, target, slot2);
  return lease === void 0 ? null : readOccupant(seen, lease);
}
async function checkPrevious(place, previousAssetId, seen) {
  const asset2 = shownAssetOf(seen, previousAssetId);
  if (asset2.replacedByAssetId) {
    const there = await readLastReplacement(seen, asset2.replacedByAssetId);
    const put = (expectedUpdatedAt2) => ({ previousAssetId: there.assetId, expectedUpdatedAt: expectedUpdatedAt2 });
    return [replacedObjection(previousAssetId, there, ["previousAssetId"], [], put)];
  }
  return elsewhere(place, previousAssetId, asset2);
}
function elsewhere(place, id2, asset2) {
  const { slot: slot2, target, setId: setId2 } = asset2;
  const named2 = targetOf2(place);
  const others = [
    slot2 !== void 0 && slot2 !== place.slot,
    target && named2 !== null && (target.kind !== named2.targetKind || target.id !== named2.targetId),
    place.setId !== void 0 && setId2 !== void 0 && setId2 !== place.setId
  ];
  if (!others.includes(true)) return [];
  const inSet = typeof setId2 === "number" ? ` in the Set ${setId2}` : "";
  const of = target ? ` of ${target.kind} ${target.id}` : "";
  const put = {
    ...slot2 === void 0 ? {} : { slot: slot2 },
    ...target && named2 !== null ? { targetKind: target.kind, targetId: target.id } : {},
    ...place.setId === void 0 || setId2 === void 0 ? {} : { setId: setId2 ?? void 0 }
  };
  const message = `is the ${slot2 ?? "picture"}${of}${inSet} (Asset ${id2}): a replacement takes its place`;
  const whole = put.setId !== void 0 || named2 !== null || place.setId === void 0;
  return [
    { category: "invalid_arguments", message, path: ["previousAssetId"], at: [], ...whole ? { put } : {} }
  ];
}
async function checkItems({ setId: setId2, setKind, items }, seen) {
  const set2 = readShownSet(seen.records.get(`Set ${setId2}`));
  const word2 = setKindIn(set2);
  if (setKind !== null && word2 !== null && word2 !== setKind) {
    const message = `is ${setKind}, and the Set ${setId2} is a ${word2}`;
    return [{ category: "invalid_arguments", message, path: ["setKind"], at: [], put: { setKind: word2 } }];
  }
  const objections = [];
  for (const [index, item] of items.entries()) {
    objections.push(...await checkItem(item, set2, ["items", String(index)], seen));
  }
  return objections;
}
async function checkItem(item, set2, at2, seen) {
  const target = { kind: item.targetKind, id: item.targetId };
  const outside = objectionsOutsideSet(target, set2, seen.targets ?? /* @__PURE__ */ new Map(), at2);
  if (outside.some(({ doubtful }) => doubtful !== true)) return outside;
  return [...outside, ...await checkPlace(item, set2, target, at2, seen)];
}
async function checkPlace(item, set2, target, at2, seen) {
  const lease = shownAssetInPlace(set2, target, item.slot);
  const { assetId: assetId2 } = item;
  if (assetId2 === null) {
    if (lease === void 0) return [];
    const there = await readOccupant(seen, lease);
    const put = replacement2("expectedPreviousAssetId", there);
    return [
      occupiedObjection(there, [...at2, "slot"], at2, (updatedAt2) => ({
        operation: "replace",
        ...put(updatedAt2)
      }))
    ];
  }
  const asset2 = shownAssetOf(seen, assetId2);
  const name = item.operation === "replace" ? "expectedPreviousAssetId" : "existingAssetId";
  const isThere = lease !== void 0 && isSameAssetId(lease.assetId, assetId2);
  if (asset2.replacedByAssetId || item.operation !== "assign" && lease !== void 0 && !isThere) {
    const own = placeOf(set2, assetId2);
    if (!asset2.replacedByAssetId && own !== null) return [otherPlace(own, assetId2, name, at2)];
    const there = lease !== void 0 && !isThere ? await readOccupant(seen, lease) : await readLastReplacement(seen, asset2.replacedByAssetId ?? assetId2);
    return [replacedObjection(assetId2, there, [...at2, name], at2, replacement2(name, there))];
  }
  return item.operation === "assign" ? checkAssigned(item, assetId2, asset2, lease, at2, seen) : checkHeld(set2, assetId2, asset2, isThere, name, at2);
}
function replacement2(name, { assetId: assetId2 }) {
  return (expectedAssetUpdatedAt) => ({ [name]: assetId2, expectedAssetUpdatedAt });
}
function checkHeld(set2, assetId2, asset2, isThere, name, at2) {
  if (isThere || set2.assets === void 0) return [];
  const place = placeOf(set2, assetId2);
  if (place !== null) return [otherPlace(place, assetId2, name, at2)];
  const where3 = typeof asset2.setId === "number" ? `is in the Set ${asset2.setId}` : "is not in this Set";
  return [{ category: "invalid_arguments", message: `${where3} (Asset ${assetId2})`, path: [...at2, name] }];
}
async function checkAssigned(item, assetId2, { setId: setId2, target, slot: slot2 }, lease, at2, seen) {
  const path2 = [...at2, "existingAssetId"];
  const other = [];
  if (typeof setId2 === "number") {
    const message = `is Asset ${assetId2}, which is in the Set ${setId2} already: only what stands alone is assigned`;
    return [{ category: "conflict", message, path: path2 }];
  }
  if (target && slot2 !== void 0) {
    const fits = target.kind === item.targetKind && target.id === item.targetId && slot2 === item.slot;
    if (!fits)
      other.push({ ...otherPlace({ target, slot: slot2 }, assetId2, "existingAssetId", at2), doubtful: true });
  }
  if (lease === void 0) return other;
  return [...other, occupiedObjection(await readOccupant(seen, lease), [...at2, "slot"], at2, null)];
}
function placeOf({ assets }, assetId2) {
  return assets?.find((one) => isSameAssetId(one.assetId, assetId2)) ?? null;
}
function otherPlace({ target, slot: slot2 }, assetId2, name, at2) {
  return {
    category: "invalid_arguments",
    message: `is the ${slot2} of ${target.kind} ${target.id} (Asset ${assetId2})`,
    path: [...at2, name],
    at: at2,
    put: { targetKind: target.kind, targetId: target.id, slot: slot2 }
  };
}
async function checkAsset({ assetId: assetId2, frame = null }, seen) {
  const { replacedByAssetId, frames } = shownAssetOf(seen, assetId2);
  if (replacedByAssetId) {
    const there = await readLastReplacement(seen, replacedByAssetId);
    const put = (expectedUpdatedAt2) => ({ assetId: there.assetId, expectedUpdatedAt: expectedUpdatedAt2 });
    return [replacedObjection(assetId2, there, ["assetId"], [], put)];
  }
  if (frame === null || frames === void 0 || frame < frames) return [];
  const has = frames === 1 ? "is a still picture" : `has frames 0 to ${frames - 1}`;
  const message = `is ${frame}, and the Asset ${has}`;
  return [{ category: "invalid_arguments", message, path: ["selectedSourceFrame"] }];
}

// src/mutations/operations/operation.ts
function defineOperation(specification) {
  const { name, revision, saved } = specification;
  const requireRevision = (args3) => {
    if (revision({ ...args3 }).of === "nothing") requireNoRevision(args3.expectedUpdatedAt);
  };
  const mutation = (given) => {
    const args3 = checkArguments(specification.meant ?? specification.arguments, given);
    requireRevision(args3);
    return mutationOf(specification, args3);
  };
  const planned = (plan, given) => {
    const { declare, ...rest } = plan(given);
    requireRevision(given);
    return { ...rest, declare: (files) => mutation(declare(files.map(seenOnly))) };
  };
  return { name, arguments: specification.arguments, revision, saved, mutation, strategy: strategy() };
  function strategy() {
    const specified = specification.strategy;
    switch (specified.by) {
      case "request":
        return { by: "request" };
      case "upload":
        return {
          by: "upload",
          plan(given) {
            const { declare, ...plan } = planned(specified.plan, given);
            return { ...plan, declare: (file) => declare([file]) };
          }
        };
      case "batch":
        return { by: "batch", kind: specified.kind, plan: (given) => planned(specified.plan, given) };
    }
  }
}
function seenOnly({ filename, contentType, contentLength, sha256: sha2562 }) {
  return { filename, contentType, contentLength, sha256: sha2562 };
}
function mutationOf(specification, args3) {
  const { name: operation, strategy, saved, check, prepare, confirm, publication } = specification;
  const { clientMutationId: clientMutationId2, expectedUpdatedAt: expectedUpdatedAt2 } = args3;
  const intent = intentOf(args3);
  return {
    operation,
    strategy: strategy.by,
    clientMutationId: clientMutationId2,
    expectedUpdatedAt: expectedUpdatedAt2,
    target: specification.target(args3),
    intent,
    needed: specification.needed(args3),
    guards: specification.guards(args3),
    looksBy: strategy.by === "request" ? "read_back" : "lookup",
    saved,
    places: specification.places?.(args3) ?? [],
    bytes: strategy.by === "upload" ? strategy.bytes(args3) : null,
    ...strategy.by === "batch" ? { declared: strategy.declared(args3) } : {},
    request: () => strategy.request(args3),
    again(progress) {
      if (strategy.by === "request") return { ...intent, clientMutationId: clientMutationId2 };
      const file = strategy.by === "upload" ? fileInProgress(progress) : null;
      return file === null ? null : { ...intent, clientMutationId: clientMutationId2, file };
    },
    ...check === void 0 ? {} : { check: (seen) => check(args3, seen) },
    ...prepare === void 0 ? {} : { prepare: (owned, call3) => prepare(args3, owned, call3) },
    find: (look) => specification.find(args3, look),
    ...confirm === void 0 ? {} : { confirm: (look, savedId) => confirm(args3, look, savedId) },
    ...publication === void 0 ? {} : { publication: (look) => publication(args3, look) }
  };
}

// src/mutations/operations/read-back.ts
import { z as z11 } from "zod";
function compareReadBack(record, meant4) {
  return Object.entries(meant4).flatMap(
    ([field, value]) => value === void 0 ? [] : [{ field, meant: value, shown: record[field] }]
  );
}
function readBackEdit({ name, expected, record, compared }) {
  if (revisionOf(record) === expected) {
    const says2 = `The ${name} is as it was before: nothing has been changed so far, but the request may still arrive.`;
    return { found: "nothing", by: "read_back", says: says2, final: false };
  }
  const shown2 = compared.filter((one) => one.shown !== void 0);
  const others = shown2.filter((one) => !isSame(one.meant, one.shown)).map(({ field }) => field);
  if (others.length > 0) {
    const says2 = `The ${name} was changed since, and not to what was meant (${others.join(", ")}): another mutation changed it, after this one or instead of it.`;
    return { found: "nothing", by: "read_back", says: says2, final: true };
  }
  if (shown2.length < compared.length) {
    const hidden = compared.filter((one) => one.shown === void 0).map(({ field }) => field);
    const says2 = `The ${name} was changed since, but does not show all that was meant (${hidden.join(", ")}).`;
    return { found: "nothing", by: "read_back", says: says2, final: true };
  }
  const says = `The ${name} has another revision than before and is as it was meant to be (${shown2.map(({ field }) => field).join(", ")}).`;
  return foundByReadBack(record, says);
}
function readBackCreated(record, compared) {
  const others = compared.filter(({ meant: meant4, shown: shown2 }) => shown2 !== void 0 && !isSame(meant4, shown2));
  if (others.length === 0)
    return foundByReadBack(record, "What was created is as it was meant to be.", "certain");
  const says = `What was created differs from what was meant: ${others.map(({ field }) => field).join(", ")}.`;
  return { found: "nothing", by: "read_back", says, final: true };
}
function foundByReadBack(record, says, certainty = "likely") {
  return { found: "ended", outcome: "succeeded", kept: keptOf(record, { by: "read_back", certainty, says }) };
}
function keptOf(record, evidence) {
  const updatedAt2 = record === null ? null : serviceRevision(revisionOf(record));
  return {
    receipt: record === null ? null : asJson(boundedRecordOf(record)),
    updatedAt: updatedAt2,
    publicationStatus: readPublication(record ?? {}).publicationStatus,
    evidence,
    warnings: []
  };
}
function isSame(meant4, shown2) {
  if (typeof meant4 === "number" || typeof shown2 === "number") return String(meant4) === String(shown2);
  return canonicalJson(meant4) === canonicalJson(asJson(shown2));
}
function withMemberIds(record) {
  const { sets } = record;
  const ids = Array.isArray(sets) ? sets.map((set2) => isRecord(set2) ? set2.id : set2) : void 0;
  return { ...record, setIds: record.setIds ?? ids };
}
var progressSchema = z11.object({ before: z11.array(z11.string()).nullable() });
async function listExisting(owned, wanted3, call3) {
  try {
    return { before: (await named(owned, wanted3, call3)).map(idOf) };
  } catch (error) {
    if (error instanceof ArtworkError && error.category !== "cancelled") return { before: null };
    throw error;
  }
}
async function findCreated({ owned, progress, call: call3 }, wanted3, clientMutationId2) {
  const found = await named(owned, wanted3, call3);
  const own = found.find((record) => record.clientMutationId === clientMutationId2);
  if (own !== void 0) return foundByReadBack(own, "It is there, with this identity.", "certain");
  const noted2 = progressSchema.safeParse(progress);
  const before = noted2.success ? noted2.data.before : null;
  if (before === null) {
    return nothing("What was there before is not known, so what is there now tells nothing.", true);
  }
  const [only, ...others] = found.filter((record) => !before.includes(idOf(record)));
  if (only === void 0) {
    return nothing("Nothing of this title has appeared so far, but the request may still arrive.", false);
  }
  if (others.length > 0) {
    return nothing(
      `${others.length + 1} of this title have appeared since: which one is this can't be told.`,
      true
    );
  }
  const says = `One of this title (id ${idOf(only)}) is there now that was not there before. It may be this one, or one that was made elsewhere at the same time: a title shows no identity.`;
  return { ...nothing(says, true), certainty: "likely" };
}
async function named(owned, { query, title: title2 }, call3) {
  const found = await owned.findUploadDestinations(query, call3);
  return found.filter((record) => record.title === title2 || record.titleBase === title2);
}
function idOf({ id: id2 }) {
  return String(id2);
}
function nothing(says, final) {
  return { found: "nothing", by: "read_back", says, final };
}

// src/catalogue/records/owned.ts
import { z as z12 } from "zod";
var updatedAt = z12.union([z12.string(), z12.number()]).nullish();
var ownedAsset = {
  path: (assetId2) => path`/me/assets/${assetId2}`,
  needed: { anyOf: ["assets:write", "assets:replace"] },
  schema: z12.looseObject({
    id,
    updatedAt,
    languageCode: text,
    editionId: z12.union([z12.string(), z12.number()]).nullish()
  })
};
var ownedSet = {
  path: (setId2) => path`/me/sets/${setId2}`,
  needed: { allOf: ["sets:write"] },
  schema: z12.looseObject({ id, updatedAt })
};
var ownedGroup = {
  path: (groupId2) => path`/me/groups/${groupId2}`,
  needed: { allOf: ["groups:write"] },
  schema: z12.looseObject({ id, updatedAt })
};
var uploadDestination = {
  path: ({ kind, family, q }) => path`/me/upload-destinations` + writeQuery({
    kind,
    ...family === void 0 ? {} : { family },
    ...q === void 0 || q === "" ? {} : { q }
  }),
  needed: ({ kind }) => ({
    allOf: [kind === "boxset" ? "groups:write" : "sets:write"]
  }),
  schema: z12.looseObject({})
};

// src/catalogue/records/relationship.ts
import { z as z13 } from "zod";
var relationship = {
  path: path`/me/relationships`,
  needed: { allOf: ["relationships:write"] },
  schema: z13.looseObject({})
};
function findRelationship(relationships, wanted3) {
  const ofKind = relationships.filter((one) => {
    const kind = textAt(one, "targetKind") ?? textAt(recordAt(one, "target"), "kind");
    return kind === wanted3.targetKind;
  });
  const id2 = String(wanted3.targetId);
  const byId = ofKind.find((one) => (idAt(one, "targetId") ?? idAt(recordAt(one, "target"), "id")) === id2);
  const byName2 = () => ofKind.find(
    (one) => [textAt(one, "username"), textAt(recordAt(one, "target"), "name", "username")].includes(id2)
  );
  return byId ?? byName2() ?? null;
}
function stateOfRelationship(record) {
  return textAt(record, "relationship", "state", "type", "kind", "listedUnder");
}

// src/mutations/checks/guard.ts
function assetGuard(assetId2, expected) {
  return {
    name: `Asset ${assetId2}`,
    about: { kind: "asset", id: assetId2 },
    expected,
    needed: ownedAsset.needed,
    again: readAgain("asset", assetId2),
    read: (owned, call3) => withIdHint(owned.readAsset(assetId2, call3), "asset")
  };
}
function setGuard(setId2, expected) {
  return {
    name: `Set ${setId2}`,
    about: { kind: "set", id: setId2 },
    expected,
    needed: ownedSet.needed,
    again: readAgain("set", setId2),
    read: (owned, call3) => withIdHint(owned.readSet(setId2, call3), "set")
  };
}
function groupGuard(groupId2, expected) {
  return {
    name: `group ${groupId2}`,
    about: { kind: "group", id: groupId2 },
    expected,
    needed: ownedGroup.needed,
    again: readAgain("group", groupId2),
    read: (owned, call3) => withIdHint(owned.readGroup(groupId2, call3), "group")
  };
}
function relationshipGuard(target, expected) {
  return {
    name: `relationship to ${target.targetKind} ${target.targetId}`,
    about: { kind: target.targetKind, id: target.targetId },
    expected,
    needed: relationship.needed,
    again: {
      tool: "list_relationships",
      arguments: {},
      why: "Read the relationship again, look at what changed, then decide anew."
    },
    read: (owned, call3) => readRelationship(owned, target, call3)
  };
}
var mostPages = 1e3;
async function readRelationship(owned, target, call3) {
  const pages = /* @__PURE__ */ new Set();
  for (let page = null; ; ) {
    const { items, nextPage } = await owned.readRelationships(page, call3);
    const found = findRelationship(items, target);
    if (found !== null || nextPage === null) return found;
    const { targetKind: targetKind2, targetId: targetId2 } = target;
    const unknown = `whether there is one to ${targetKind2} ${targetId2} is not known`;
    if (pages.has(nextPage)) {
      const message = `The service's list of relationships leads back to a page that was read before, so ${unknown}.`;
      throw new ArtworkError("bad_response", message);
    }
    if (pages.size >= mostPages) {
      const message = `The service's list of relationships goes on after ${mostPages} pages, so ${unknown}.`;
      throw new ArtworkError("bad_response", message);
    }
    pages.add(nextPage);
    page = nextPage;
  }
}
function readAgain(type, id2) {
  return {
    tool: "get_owned",
    arguments: { type, id: id2 },
    why: "Read it again, look at what changed, then decide anew with the revision that it shows."
  };
}
async function withIdHint(reading, type) {
  try {
    return await reading;
  } catch (error) {
    if (!(error instanceof ArtworkError) || error.category !== "not_found") throw error;
    const { words, next } = where2[type];
    const { message, code, status, details, issues } = error;
    const facts = { code, status, details, issues, next: error.next ?? next, cause: error };
    throw new ArtworkError("not_found", `${message} ${words}`, facts);
  }
}
var where2 = {
  asset: { words: "get_owned of a Set or group lists the ids of its Assets." },
  set: foundBy("media_set", "It lists your Sets with their ids (kind talent_set: your Talent Sets)."),
  group: foundBy("boxset", "It lists your Boxsets with their ids (family game: your Loadouts).")
};
function foundBy(kind, why) {
  const next = { tool: "find_upload_destinations", arguments: { kind }, why };
  return { words: "find_upload_destinations finds the ids.", next };
}

// src/mutations/operations/assign-grouping-assets.ts
var args = defineArguments({
  extra,
  setId,
  items: z14.array(
    z14.strictObject({
      existingAssetId: assetId,
      expectedAssetUpdatedAt: assetRevision,
      targetKind,
      targetId,
      slot,
      itemId: itemId.optional(),
      position: position.optional()
    })
  ).min(1).max(300)
});
var assignGroupingAssets = defineOperation({
  name: "assign_grouping_assets",
  arguments: args,
  meant: args.transform(({ items, ...rest }) => ({
    ...rest,
    items: items.map((item, index) => ({
      ...item,
      itemId: item.itemId ?? deriveItemId(rest.clientMutationId, index),
      position: item.position ?? index
    }))
  })).superRefine(({ items }, context) => {
    const ids = items.map(({ itemId: itemId2 }) => [{ name: "itemId", value: itemId2 }]);
    requireDistinctItems(ids, context, "items");
  }),
  strategy: {
    by: "request",
    request({ setId: setId2, items, ...rest }) {
      const body = groupingAssignment({
        ...rest,
        expectedUpdatedAt: revisionToSend(rest.expectedUpdatedAt),
        items: items.map(
          (item) => assignedItem({ ...item, expectedAssetUpdatedAt: revisionToSend(item.expectedAssetUpdatedAt) })
        )
      });
      return jsonRequest(path`/me/grouping-sets/${setId2}/assets`, body, "assumed");
    }
  },
  revision: ownedRevision("set", "setId"),
  saved: "set",
  needed: () => ({ allOf: ["sets:write"] }),
  target: ({ setId: setId2, items }) => ({ kind: "set", id: setId2, items: items.length }),
  guards({ setId: setId2, expectedUpdatedAt: expectedUpdatedAt2, items }) {
    const assets = new Map(
      items.map(({ existingAssetId, expectedAssetUpdatedAt }) => [
        `${existingAssetId} ${expectedAssetUpdatedAt}`,
        {
          ...assetGuard(existingAssetId, expectedAssetUpdatedAt),
          // The body carries every revision that is the service's own.
          alsoOnWire: serviceRevision(expectedAssetUpdatedAt) !== null
        }
      ])
    );
    return [setGuard(setId2, expectedUpdatedAt2), ...assets.values()];
  },
  async check({ setId: setId2, items }, seen) {
    const set2 = readShownSet(seen.records.get(`Set ${setId2}`));
    if (setKindIn(set2) === "media_set") {
      const message = `is a media Set: edit_set with operation assign puts Assets into it`;
      return [{ category: "invalid_arguments", message, path: ["setId"] }];
    }
    const assigned = items.map(({ existingAssetId, targetKind: targetKind2, targetId: targetId2, slot: slot2 }) => ({
      operation: "assign",
      targetKind: targetKind2,
      targetId: targetId2,
      slot: slot2,
      assetId: existingAssetId
    }));
    return checkItems({ setId: setId2, setKind: null, items: assigned }, seen);
  },
  async find({ setId: setId2, expectedUpdatedAt: expectedUpdatedAt2, items }, { owned, call: call3 }) {
    const record = await owned.readSet(setId2, call3);
    const compared = items.map((item) => ({
      field: `item ${item.itemId}`,
      meant: true,
      shown: holds(record.assets, item.existingAssetId)
    }));
    return readBackEdit({ name: `Set ${setId2}`, expected: expectedUpdatedAt2, record, compared });
  }
});
function holds(assets, assetId2) {
  if (!Array.isArray(assets)) return void 0;
  const wanted3 = assetId2.toLowerCase();
  return assets.filter(isRecord).some((asset2) => [asset2.id, asset2.assetId].some((id2) => String(id2).toLowerCase() === wanted3));
}

// src/mutations/operations/change-relationship.ts
import { z as z15 } from "zod";
var changeRelationship = defineOperation({
  name: "change_relationship",
  arguments: defineArguments({
    extra,
    targetKind: relatedKind,
    targetId: relatedId,
    relationship: z15.enum(["follow", "hide", "clear"])
  }),
  strategy: {
    by: "request",
    request({ relationship: relationship2, ...rest }) {
      const body = relationshipChange({
        ...rest,
        relationship: relationship2 === "clear" ? null : relationship2
      });
      return jsonRequest(path`/me/relationships`, body, "assumed");
    }
  },
  revision: relationshipRevision,
  saved: "relationship",
  needed: () => ({ allOf: ["relationships:write"] }),
  target: ({ targetKind: targetKind2, targetId: targetId2, relationship: relationship2 }) => ({ kind: targetKind2, id: targetId2, relationship: relationship2 }),
  guards: ({ targetKind: targetKind2, targetId: targetId2, expectedUpdatedAt: expectedUpdatedAt2 }) => [
    relationshipGuard({ targetKind: targetKind2, targetId: targetId2 }, expectedUpdatedAt2)
  ],
  async find({ targetKind: targetKind2, targetId: targetId2, relationship: relationship2 }, { owned, call: call3 }) {
    const record = await readRelationship(owned, { targetKind: targetKind2, targetId: targetId2 }, call3);
    const state = record === null ? "clear" : stateOfRelationship(record);
    if (state === relationship2 || state === `${relationship2}s`) {
      return foundByReadBack(record, `The relationship is as it was meant to be: ${relationship2}.`);
    }
    const says = `The relationship is not as it was meant to be so far (${state ?? "of an unknown kind"}); the request may still arrive.`;
    return { found: "nothing", by: "read_back", says, final: false };
  }
});

// src/mutations/operations/create-group.ts
import { z as z16 } from "zod";

// src/catalogue/scopes.ts
function missingScopes(needed, granted) {
  if ("allOf" in needed) return needed.allOf.filter((scope) => !granted.includes(scope));
  return needed.anyOf.some((scope) => granted.includes(scope)) ? [] : [needed.anyOf[0]];
}

// src/mutations/checks/check-sets.ts
async function checkDestination({
  destination,
  entryTargetKind
}, { owned, scopes, call: call3 }) {
  const kind = destination === null ? null : textAt(destination, "kind");
  const id2 = destination === null ? null : idAt(destination, "id");
  if (id2 === null || kind !== "boxset" && kind !== "loadout") return [];
  if (missingScopes(ownedGroup.needed, scopes).length > 0) return [];
  const path2 = ["destination"];
  try {
    const found = textAt(await owned.readGroup(id2, call3), "kind");
    const wanted3 = entryTargetKind === "game" ? "loadout" : "boxset";
    if (found !== "boxset" && found !== "loadout" || found === wanted3) return [];
    const message = `is the ${found} ${id2}, and a Set of a ${entryTargetKind} goes into a ${wanted3}`;
    return [{ category: "invalid_arguments", message, path: path2 }];
  } catch (error) {
    if (!(error instanceof ArtworkError)) throw error;
    const { category: category2 } = error;
    if (category2 === "not_found")
      return [{ category: category2, message: `names a group that is not there: ${id2}`, path: path2 }];
    if (category2 !== "forbidden") throw error;
    return [{ category: category2, message: `names the group ${id2}, which is not this account's own`, path: path2 }];
  }
}
async function checkGroupingSet(set2, seen) {
  const lacking = whatItIsFor(set2);
  if (lacking !== null && set2.extra === void 0) return [lacking];
  const named2 = [
    ...(set2.networkIds ?? []).map((id2, index) => ({
      kind: "network",
      id: id2,
      path: ["networkIds", String(index)]
    })),
    ...(set2.companyIds ?? []).map((id2, index) => ({
      kind: "company",
      id: id2,
      path: ["companyIds", String(index)]
    })),
    ...set2.entryTargetKind === void 0 || set2.entryTargetId === void 0 ? [] : [{ kind: set2.entryTargetKind, id: set2.entryTargetId, path: ["entryTargetId"] }]
  ];
  const found = await findTargets(seen.catalogue, named2, seen.call);
  return named2.flatMap(
    ({ kind, id: id2, path: path2 }) => found.get(targetKey({ kind, id: id2 })) === null ? [{ category: "invalid_arguments", message: `names nothing: there is no ${kind} ${id2}`, path: path2 }] : []
  );
}
function whatItIsFor({
  setKind,
  entryTargetKind,
  networkIds = [],
  companyIds = []
}) {
  const category2 = "invalid_arguments";
  switch (setKind) {
    case "brand_set":
      if (networkIds.length + companyIds.length > 0) return null;
      return {
        category: category2,
        message: "is empty, and so is companyIds: a brand_set is of networks and companies",
        path: ["networkIds"]
      };
    case "talent_set":
    case "category_set": {
      const kind = setKind === "talent_set" ? "person" : "category";
      if (entryTargetKind === kind) return null;
      const given = entryTargetKind === void 0 ? "is missing" : `is ${entryTargetKind}`;
      const message = `${given}: a ${setKind} is for a ${kind}, whose id is the entryTargetId`;
      return { category: category2, message, path: ["entryTargetKind"] };
    }
  }
}
var mostMembers2 = 100;
var few2 = 4;
var foreign = {
  boxset: ["game_set"],
  loadout: ["movie_set", "show_set", "collection_set", "brand_set", "talent_set", "category_set"]
};
var seenInNone = ["brand_set", "talent_set", "category_set"];
var holdsWords = {
  boxset: "a Boxset holds movie, show and collection Sets, and game Sets go into a Loadout",
  loadout: "a Loadout holds game Sets, and movie, show and collection Sets go into a Boxset"
};
async function checkMembers(group2, seen) {
  const twice = group2.setIds.flatMap((id2, index) => {
    if (group2.setIds.indexOf(id2) === index) return [];
    return [{ category: "invalid_arguments", message: `names the Set ${id2} twice`, path: pathOf(index) }];
  });
  if (twice.length > 0 || missingScopes(ownedSet.needed, seen.scopes).length > 0) return twice;
  const looked = await mapLimit(
    group2.setIds.slice(0, mostMembers2),
    few2,
    (id2, index) => checkMember(id2, index, group2, seen)
  );
  return looked.flat();
}
async function checkMember(setId2, index, { kind, id: id2 }, { owned, call: call3 }) {
  const path2 = pathOf(index);
  let record;
  try {
    record = await owned.readSet(setId2, call3);
  } catch (error) {
    if (!(error instanceof ArtworkError)) throw error;
    const { category: category2 } = error;
    if (category2 === "not_found") return [{ category: category2, message: `names no Set: there is no ${setId2}`, path: path2 }];
    if (category2 !== "forbidden") throw error;
    return [{ category: category2, message: `names the Set ${setId2}, which is not this account's own`, path: path2 }];
  }
  const set2 = readShownSet(record);
  if (set2.kind !== void 0 && foreign[kind ?? ""]?.includes(set2.kind) === true) {
    const message = `names the Set ${setId2}, a ${set2.kind}: ${holdsWords[kind ?? ""] ?? ""}`;
    return [{ category: "invalid_arguments", message, path: path2 }];
  }
  if (set2.kind !== void 0 && seenInNone.includes(set2.kind)) {
    const message = `names the Set ${setId2}, a ${set2.kind}: no such Set is shown to be in a group`;
    return [{ category: "invalid_arguments", message, path: path2, doubtful: true }];
  }
  if (set2.group && String(set2.group.id) !== String(id2)) {
    const message = `names the Set ${setId2}, which is in the group ${set2.group.id} already`;
    return [{ category: "conflict", message, path: path2, doubtful: true }];
  }
  return [];
}
function pathOf(index) {
  return ["setIds", String(index)];
}

// src/mutations/operations/create-group.ts
var createGroup = defineOperation({
  name: "create_group",
  arguments: defineArguments({
    extra,
    kind: z16.enum(["boxset", "loadout"]),
    title,
    description: description.default(null),
    languageCode: languageCode.nullish().transform((code) => code ?? void 0),
    setIds: setIds.default([])
  }),
  strategy: {
    by: "request",
    request: (args3) => jsonRequest(path`/me/groups`, groupCreation(args3), "assumed")
  },
  revision: noRevision,
  saved: "group",
  needed: () => ({ allOf: ["groups:write"] }),
  target: ({ kind, title: title2 }) => ({ kind, title: title2 }),
  guards: () => [],
  check: ({ kind, setIds: setIds2 }, seen) => checkMembers({ kind, id: null, setIds: setIds2 }, seen),
  prepare: (args3, owned, call3) => listExisting(owned, wanted(args3), call3),
  find: (args3, look) => findCreated(look, wanted(args3), args3.clientMutationId),
  async confirm({ title: title2, description: description2, languageCode: languageCode2, setIds: setIds2 }, { owned, call: call3 }, savedId) {
    const record = await owned.readGroup(savedId, call3);
    const compared = compareReadBack(withMemberIds(record), { title: title2, description: description2, languageCode: languageCode2, setIds: setIds2 });
    return readBackCreated(record, compared);
  }
});
function wanted({ kind, title: title2 }) {
  const family = kind === "loadout" ? "game" : void 0;
  return { query: { kind: "boxset", family, q: title2 }, title: title2 };
}

// src/mutations/operations/create-grouping-set.ts
import { z as z17 } from "zod";
var args2 = defineArguments({
  extra,
  setKind: z17.enum(["talent_set", "brand_set", "category_set"]),
  titleBase: title,
  entryTargetKind: openKind.optional(),
  entryTargetId: targetId.optional(),
  networkIds: targetIds.optional(),
  companyIds: targetIds.optional(),
  description: description.default(null),
  languageCode: languageCode.nullish().transform((code) => code ?? void 0),
  editionId: editionId.optional()
}).superRefine((set2, context) => {
  if (set2.entryTargetKind === void 0 !== (set2.entryTargetId === void 0)) {
    context.addIssue({ code: "custom", message: "entryTargetKind and entryTargetId go together" });
  }
  for (const name of ["networkIds", "companyIds"]) {
    if (set2.setKind === "brand_set" || set2[name] === void 0) continue;
    context.addIssue({ code: "custom", message: "only belongs to a brand_set", path: [name] });
  }
});
var createGroupingSet = defineOperation({
  name: "create_grouping_set",
  arguments: args2,
  // What a Brand Set leaves out is left out: so it stands in the intents of earlier versions.
  meant: args2.transform(
    (set2) => set2.setKind === "brand_set" ? { ...set2, networkIds: set2.networkIds ?? [], companyIds: set2.companyIds ?? [] } : { ...set2, editionId: set2.editionId ?? null }
  ),
  strategy: {
    by: "request",
    request(set2) {
      const body = set2.setKind === "brand_set" ? brandSetCreation(set2) : groupingSetCreation(set2);
      return jsonRequest(path`/me/grouping-sets`, body, "assumed");
    }
  },
  revision: noRevision,
  saved: "set",
  needed: () => ({ allOf: ["sets:write"] }),
  target: ({ setKind, titleBase, entryTargetKind, entryTargetId }) => ({
    kind: setKind,
    title: titleBase,
    ...entryTargetKind === void 0 || entryTargetId === void 0 ? {} : { entryTargetKind, entryTargetId }
  }),
  guards: () => [],
  check: (set2, seen) => checkGroupingSet(set2, seen),
  prepare: async (set2, owned, call3) => set2.setKind === "talent_set" ? listExisting(owned, wanted2(set2), call3) : null,
  find: async (set2, look) => set2.setKind === "talent_set" ? findCreated(look, wanted2(set2), set2.clientMutationId) : notListed,
  async confirm({ description: description2 }, { owned, call: call3 }, savedId) {
    const record = await owned.readSet(savedId, call3);
    return readBackCreated(record, compareReadBack(record, { description: description2 }));
  }
});
function wanted2({ titleBase }) {
  return { query: { kind: "talent_set", q: titleBase }, title: titleBase };
}
var notListed = {
  found: "nothing",
  by: "read_back",
  says: "The interface lists no Sets of this kind, so whether it was created can only be seen on the service.",
  final: true
};

// src/mutations/operations/create-media-set.ts
import { z as z20 } from "zod";

// src/catalogue/records/submission.ts
import { z as z19 } from "zod";

// src/catalogue/records/upload-status.ts
import { z as z18 } from "zod";

// src/clock.ts
var longestTimerMs = 2 ** 31 - 1;

// src/catalogue/wire-body.ts
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
var answerBytes = 8 * 1024 * 1024;
var decoders = {
  gzip: promisify(gunzip),
  "x-gzip": promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress)
};

// src/catalogue/records/upload-status.ts
var uploadStatus = {
  path: (clientMutationId2) => path`/me/asset-uploads/${clientMutationId2}`,
  needed: { anyOf: ["assets:write", "assets:replace"] },
  /** What the record is known by where it comes without `data`. */
  marks: ["processingStatus", "publicationStatus", "clientMutationId", "mutationId"],
  schema: z18.looseObject({})
};

// src/catalogue/records/submission.ts
var submissions = {
  creation: {
    path: (submissionId2) => path`/me/set-uploads/${submissionId2}`,
    needed: { allOf: ["sets:write", "assets:write"] }
  },
  edit: {
    path: (submissionId2) => path`/me/set-updates/${submissionId2}`,
    needed: { allOf: ["sets:write"] }
  }
};
var submission = {
  /** What the record is known by where it comes without `data`. */
  marks: ["submission", "submissionId", "outcome", "items"],
  schema: z19.looseObject({})
};

// src/mutations/operations/lookups.ts
async function lookUpUpload(owned, id2, call3) {
  const upload = await owned.findAssetUpload(id2, call3);
  if (upload === null) {
    const says = "The service has no record of this upload now. That proves nothing: a request may still be on its way.";
    return { found: "nothing", by: "lookup", says, final: false };
  }
  switch (upload.state) {
    case "succeeded":
      return { found: "ended", outcome: "succeeded", kept: keptOf2(upload) };
    case "failed": {
      const { error } = upload;
      const reason = new ArtworkError("bad_response", error?.message ?? "The service could not process it.", {
        code: error?.code,
        details: error?.details,
        issues: error?.issues
      });
      return { found: "ended", outcome: "failed", kept: keptOf2(upload), error: reason };
    }
    case "processing":
    case "unknown":
      return { found: "working", kept: keptOf2(upload) };
  }
}
function keptOf2({
  state,
  record,
  updatedAt: updatedAt2,
  publicationStatus,
  processingStatus
}) {
  const word2 = processingStatus === null ? "without a status" : `as ${processingStatus}`;
  return {
    receipt: asJson(record),
    updatedAt: updatedAt2,
    publicationStatus,
    evidence: {
      by: "lookup",
      certainty: state === "unknown" ? "unknown" : "certain",
      says: `The service's own record of the upload shows it ${word2}.`
    },
    warnings: []
  };
}
async function lookUpSubmission(declared, clientMutationId2, { owned, progress, names, call: call3 }) {
  const checkpoint = readCheckpoint(progress);
  const submissionId2 = checkpoint?.submissionId ?? null;
  if (submissionId2 === null) {
    const says = "The answer to the admission is not known, and without the submission id that it carries the service can not be asked. The identical admission, sent again, is answered with it.";
    return { found: "nothing", by: "lookup", says, final: false };
  }
  const submission2 = await owned.findSubmission(declared.kind, submissionId2, call3);
  if (submission2 === null) {
    const says = `The service knows no submission ${submissionId2} now.`;
    return { found: "nothing", by: "lookup", says, final: false };
  }
  if (checkpoint !== null && isForeignSubmission(submission2, declared, checkpoint)) {
    const says = foreignSubmissionError(submission2, clientMutationId2, declared).message;
    return { found: "nothing", by: "lookup", says, final: true };
  }
  const finding = judgeSubmission(submission2, clientMutationId2, declared, names);
  return withSetRevision(finding, submission2, owned, call3);
}
async function withSetRevision(finding, { setId: setId2 }, owned, call3) {
  if (finding.found !== "ended" || setId2 === null) return finding;
  if (finding.outcome !== "succeeded" && finding.outcome !== "partial") return finding;
  try {
    const set2 = await owned.readSet(setId2, call3);
    const updatedAt2 = serviceRevision(revisionOf(set2)) ?? finding.kept.updatedAt;
    const title2 = shortName(textAt(set2, "title", "titleBase")) || void 0;
    return { ...finding, kept: { ...finding.kept, updatedAt: updatedAt2, title: title2 } };
  } catch (error) {
    if (error instanceof ArtworkError) return finding;
    throw error;
  }
}
function judgeSubmission(submission2, clientMutationId2, declared, names = {}) {
  requireOwn(submission2, clientMutationId2);
  const kept = storedReceiptOfSubmission(submission2, declared);
  switch (submission2.state) {
    case "succeeded":
      return { found: "ended", outcome: "succeeded", kept };
    case "partial":
    case "failed":
    case "rolled_back":
      return {
        found: "ended",
        outcome: submission2.state,
        kept,
        error: incompleteSubmissionError(submission2, declared, names)
      };
    // "Could not confirm the result; it does not cancel server work" (States, rule 6): no end.
    case "unresolved":
    case "open":
      return { found: "working", kept };
  }
}
function requireOwn({ mutationId }, clientMutationId2) {
  if (mutationId === null || mutationId.toLowerCase() === clientMutationId2) return;
  throw otherSubmission();
}
function otherSubmission() {
  return new ArtworkError("bad_response", "The service answered with the submission of another mutation.");
}
function storedReceiptOfSubmission(submission2, declared) {
  const { outcome, items, updatedAt: updatedAt2, publicationStatus } = submission2;
  const word2 = outcome === null ? "without an outcome so far" : `as ${outcome}`;
  return {
    receipt: asJson(withoutItems(submission2)),
    updatedAt: updatedAt2,
    publicationStatus,
    evidence: {
      by: "lookup",
      certainty: submission2.state === "unresolved" ? "unknown" : "certain",
      says: `The service's own record of the submission shows it ${word2}.`
    },
    warnings: [],
    items: declared === null ? items.flatMap(storedItemOfSubmission) : ofDeclared(items.flatMap(storedItemOfSubmission), declared)
  };
}
function ofDeclared(items, { items: declared }) {
  const ids = new Set(declared.map(({ itemId: itemId2 }) => itemId2.toLowerCase()));
  const last2 = /* @__PURE__ */ new Map();
  for (const item of items) {
    const id2 = item.itemId.toLowerCase();
    if (ids.has(id2)) last2.set(id2, item);
  }
  return [...last2.values()];
}
function withoutItems({ record, submissionId: submissionId2, setId: setId2 }) {
  const inner = record.submission instanceof Object ? record.submission : record;
  const lists = ["items", "itemStatuses", "files", "declaredFiles"];
  const rest = Object.entries(inner).filter(([name]) => !lists.includes(name));
  return { submissionId: submissionId2, setId: setId2, ...Object.fromEntries(rest) };
}
function storedItemOfSubmission({
  itemId: itemId2,
  state,
  status: word2,
  assetId: assetId2,
  error
}) {
  if (itemId2 === null) return [];
  const status = word2 === "succeeded" && state !== "succeeded" ? null : word2;
  const why = error === null ? null : { code: error.code ?? "failed", message: (error.message ?? "").slice(0, 300) };
  return [{ itemId: itemId2, status, assetId: assetId2, error: why }];
}
var mostNamed = 3;
function incompleteSubmissionError({ state, items, error }, declared, names = {}) {
  const failed = items.filter((item) => item.state === "failed" || item.error !== null);
  const named2 = failed.slice(0, mostNamed).map(({ itemId: itemId2, error: why }) => {
    return `${nameOf(itemId2, declared, names)} (${why?.code ?? "failed"})`;
  });
  const more = failed.length > named2.length ? ` and ${failed.length - named2.length} more` : "";
  const which = failed.length === 0 ? "" : ` Failed: ${named2.join(", ")}${more}.`;
  const message = `${error?.message ?? sentences[state] ?? "The service did not apply it whole."}${which}`;
  return new ArtworkError("bad_response", message, {
    code: error?.code ?? state,
    // Each item has its own.
    issues: error?.issues?.slice(0, mostNamed)
  });
}
function nameOf(itemId2, { items }, names) {
  const item = items.find((one) => one.itemId === itemId2?.toLowerCase());
  if (item === void 0) return itemId2 ?? "an item without an id";
  const { file, slot: slot2, targetKind: kind, targetId: id2 } = item;
  return file?.filename ?? `the ${nameOfArtwork(slot2, nameIn(names, kind, id2) ?? `${kind} ${id2}`)}`;
}
var sentences = {
  partial: "Some items succeeded and some failed.",
  failed: "Nothing of it was applied.",
  rolled_back: "The service took all of it back."
};
function isForeignSubmission({ state, items }, declared, { mark }) {
  const files = new Set(fileItems(declared).map(({ itemId: itemId2 }) => itemId2));
  if (mark > 0 || files.size === 0) return false;
  const hasEnded = state !== "open" && state !== "unresolved";
  return hasEnded || holdsFiles(items.filter(({ itemId: itemId2 }) => files.has(itemId2?.toLowerCase() ?? "")));
}
function holdsFiles(items) {
  const states = new Set(items.map(({ state }) => state));
  return states.has("succeeded") || states.has("failed") || states.has("processing") && states.size > 1;
}
function foreignSubmissionError({ submissionId: submissionId2, outcome }, clientMutationId2, { kind }) {
  const asking = `get_mutation_status with submissionId ${submissionId2 ?? "(not said)"} and kind ${kind}`;
  const message = `The id ${clientMutationId2} belongs to a submission that was made before, and not from this machine's ledger: the service shows it as ${outcome ?? "begun"}. This call sent no files and changed nothing; whether the files there are these is not shown. ${asking} tells how it stands.`;
  const details = { earlierSubmission: { submissionId: submissionId2, kind, outcome: outcome ?? "processing" } };
  return new ArtworkError("conflict", message, { details });
}

// src/mutations/operations/create-media-set.ts
var mostFiles = 2e3;
function withFiles(file, announced) {
  const item = z20.strictObject({
    file,
    targetKind,
    targetId,
    slot,
    itemId: itemId.optional(),
    position: position.optional(),
    ...announced,
    selectedSourceFrame: selectedSourceFrame.nullable().default(null)
  });
  return defineArguments({
    entryTargetKind: targetKind,
    entryTargetId: targetId,
    titleBase: title,
    languageCode,
    /** Its meaning is not shown, so it has no default. */
    finalised: z20.boolean(),
    description: description.default(null),
    editionId: editionId.default(null),
    /** A record of the upload destinations, as it came. */
    destination: jsonObject.nullable().default(null),
    declaredFiles: z20.array(item).min(1)
  });
}
var call = withFiles(filePath, { filename: uploadFilename.optional() });
var called = call.refine(({ declaredFiles }) => declaredFiles.length <= mostFiles, {
  message: `can be at most ${mostFiles} in one Set`,
  path: ["declaredFiles"]
}).transform((args3) => ({ ...args3, declaredFiles: withItemIds(args3.clientMutationId, args3.declaredFiles) })).superRefine(
  ({ declaredFiles }, context) => requireDistinctItems(declaredFiles.map(distinctItemValuesOf), context, "declaredFiles")
);
var meant = withFiles(declaredFile, {}).transform((args3) => ({
  ...args3,
  declaredFiles: withItemIds(args3.clientMutationId, args3.declaredFiles)
}));
var createMediaSet = defineOperation({
  name: "create_media_set",
  arguments: call,
  meant,
  strategy: {
    by: "batch",
    kind: "creation",
    plan(given) {
      const args3 = checkArguments(called, given);
      const items = args3.declaredFiles.map((item, index) => ({
        ...item,
        at: ["declaredFiles", String(index)]
      }));
      return {
        entry: { kind: args3.entryTargetKind, id: args3.entryTargetId },
        places: items,
        files: items.map(({ file, filename, slot: slot2, at: at2 }) => ({ file, filename, slot: slot2, at: [...at2, "file"] })),
        declare: (files) => ({
          ...args3,
          declaredFiles: args3.declaredFiles.map(({ filename: _, ...item }, index) => ({
            ...item,
            file: files[index]
          }))
        })
      };
    },
    declared: declaredBy,
    request({ declaredFiles, ...set2 }) {
      const body = {
        clientMutationId: set2.clientMutationId,
        setKind: "media_set",
        entryTargetKind: set2.entryTargetKind,
        entryTargetId: set2.entryTargetId,
        titleBase: set2.titleBase,
        description: set2.description,
        languageCode: set2.languageCode,
        editionId: set2.editionId,
        finalised: set2.finalised,
        destination: set2.destination,
        declaredFiles: declaredFiles.map(
          ({ itemId: itemId2, position: position2, targetKind: targetKind2, targetId: targetId2, slot: slot2, file, ...item }) => ({
            itemId: itemId2,
            position: position2,
            targetKind: targetKind2,
            targetId: targetId2,
            slot: slot2,
            filename: file.filename,
            contentType: file.contentType,
            contentLength: file.contentLength,
            selectedSourceFrame: item.selectedSourceFrame
          })
        )
      };
      return jsonRequest(path`/me/set-uploads`, body, "documented");
    }
  },
  revision: noRevision,
  saved: "set",
  needed: () => submissions.creation.needed,
  target: ({ titleBase, entryTargetKind, entryTargetId, declaredFiles }) => ({
    kind: "media_set",
    title: titleBase,
    entryTargetKind,
    entryTargetId,
    files: declaredFiles.length
  }),
  guards: () => [],
  places: (args3) => [placeOf2(args3)],
  check: ({ destination, entryTargetKind }, seen) => checkDestination({ destination, entryTargetKind }, seen),
  find: (args3, look) => lookUpSubmission(declaredBy(args3), args3.clientMutationId, look)
});
function declaredBy({ declaredFiles }) {
  return { kind: "creation", items: declaredFiles };
}
function placeOf2({ entryTargetKind, entryTargetId, declaredFiles }) {
  const files = declaredFiles.map(
    ({ targetKind: kind, targetId: id2, slot: of, file }) => [kind, id2, of, file.sha256].join(" ")
  );
  const work2 = { kind: entryTargetKind, id: entryTargetId };
  return { in: "new set", work: work2, pictures: canonicalDigest(canonicalJson(files.sort())) };
}

// src/mutations/operations/edit-asset-metadata.ts
var editAssetMetadata = defineOperation({
  name: "edit_asset_metadata",
  arguments: defineArguments({ assetId, ...metadataChanges }).refine(
    (edit) => Object.keys(givenFieldsOf(metadataChanges, edit)).length > 0,
    `they change nothing; give ${Object.keys(metadataChanges).join(" or ")}`
  ),
  strategy: {
    by: "request",
    request(edit) {
      const expectedUpdatedAt2 = requireServiceRevision(edit.expectedUpdatedAt);
      const body = { expectedUpdatedAt: expectedUpdatedAt2, ...givenFieldsOf(metadataChanges, edit) };
      return jsonRequest(path`/me/assets/${edit.assetId}/metadata`, body, "none");
    }
  },
  revision: ownedRevision("asset", "assetId"),
  saved: "asset",
  needed: () => ({ allOf: ["assets:write"] }),
  target: ({ assetId: assetId2 }) => ({ kind: "asset", id: assetId2 }),
  guards: ({ assetId: assetId2, expectedUpdatedAt: expectedUpdatedAt2 }) => [assetGuard(assetId2, expectedUpdatedAt2)],
  check: ({ assetId: assetId2 }, seen) => checkAsset({ assetId: assetId2 }, seen),
  async find(edit, { owned, call: call3 }) {
    const { assetId: assetId2, expectedUpdatedAt: expectedUpdatedAt2 } = edit;
    const record = await owned.readAsset(assetId2, call3);
    const compared = compareReadBack(record, givenFieldsOf(metadataChanges, edit));
    return readBackEdit({ name: `Asset ${assetId2}`, expected: expectedUpdatedAt2, record, compared });
  }
});

// src/mutations/operations/edit-group.ts
var editGroup = defineOperation({
  name: "edit_group",
  arguments: defineArguments({
    extra,
    groupId,
    title: title.optional(),
    description: description.optional(),
    languageCode: languageChange,
    /** The complete membership. */
    setIds: setIds.optional()
  }).refine(
    ({ title: title2, description: description2, languageCode: languageCode2, setIds: setIds2, extra: extra2 }) => [title2, description2, languageCode2, setIds2, extra2].some((change) => change !== void 0),
    "they change nothing; give title, description, languageCode or setIds"
  ),
  strategy: {
    by: "request",
    request(args3) {
      const body = groupEdit({ ...args3, expectedUpdatedAt: revisionToSend(args3.expectedUpdatedAt) });
      return jsonRequest(path`/me/groups/${args3.groupId}`, body, "assumed");
    }
  },
  revision: ownedRevision("group", "groupId"),
  saved: "group",
  needed: () => ({ allOf: ["groups:write"] }),
  target: ({ groupId: groupId2, title: title2 }) => ({
    kind: "group",
    id: groupId2,
    ...title2 === void 0 ? {} : { newTitle: title2 }
  }),
  guards: ({ groupId: groupId2, expectedUpdatedAt: expectedUpdatedAt2 }) => [groupGuard(groupId2, expectedUpdatedAt2)],
  async check({ groupId: groupId2, setIds: setIds2 }, seen) {
    if (setIds2 === void 0) return [];
    const kind = textAt(seen.records.get(`group ${groupId2}`) ?? {}, "kind");
    return checkMembers({ kind, id: groupId2, setIds: setIds2 }, seen);
  },
  async find({ groupId: groupId2, expectedUpdatedAt: expectedUpdatedAt2, title: title2, description: description2, languageCode: languageCode2, setIds: setIds2 }, { owned, call: call3 }) {
    const record = await owned.readGroup(groupId2, call3);
    const compared = compareReadBack(withMemberIds(record), { title: title2, description: description2, languageCode: languageCode2, setIds: setIds2 });
    return readBackEdit({ name: `group ${groupId2}`, expected: expectedUpdatedAt2, record, compared });
  }
});

// src/mutations/operations/edit-set.ts
import { z as z21 } from "zod";
var mostItems = 300;
function tooManyItemsError(items, hasMetadata) {
  const parts = Array.from({ length: Math.ceil(items / mostItems) }, (_, part) => ({
    from: part * mostItems,
    to: Math.min((part + 1) * mostItems, items) - 1,
    ...hasMetadata ? { metadata: part === 0 } : {}
  }));
  const words = parts.map(({ from, to }) => `items ${from} to ${to}`).join(", then ");
  const metadata = hasMetadata ? " The metadata goes with the first alone." : "";
  const message = `One edit takes ${mostItems} items, and these are ${items}: make ${parts.length} edits of it, one after the other: ${words}. Each has an id of its own; the first takes the Set's revision as it is, each later one the updatedAt that the one before left.${metadata}`;
  return new ArtworkError("invalid_arguments", message, {
    details: { mostItems, items, parts },
    issues: [{ code: "too_many_items", message: `at most ${mostItems}`, path: ["items"] }],
    next: {
      tool: "new_mutation_ids",
      arguments: { count: Math.min(50, parts.length) },
      why: "One id for each part.",
      doNot: "start a part before the one before has ended"
    }
  });
}
function withFiles2(file) {
  const place = {
    targetKind,
    targetId,
    slot,
    itemId: itemId.optional(),
    position: position.optional()
  };
  const replaced = { expectedPreviousAssetId: assetId, expectedAssetUpdatedAt: assetRevision };
  const existing = { existingAssetId: assetId, expectedAssetUpdatedAt: assetRevision };
  const item = z21.discriminatedUnion("operation", [
    z21.strictObject({ operation: z21.literal("add"), ...place, file }),
    z21.strictObject({ operation: z21.literal("replace"), ...place, file, ...replaced }),
    z21.strictObject({ operation: z21.literal("assign"), ...place, ...existing }),
    z21.strictObject({ operation: z21.literal("asset_metadata"), ...place, ...existing, ...metadataChanges }).refine(
      (edit) => Object.keys(givenFieldsOf(metadataChanges, edit)).length > 0,
      `changes nothing: give ${Object.keys(metadataChanges).join(" or ")}`
    )
  ]);
  return defineArguments({
    setId,
    setKind: z21.enum(["media_set", "talent_set", "brand_set", "category_set"]),
    metadata: z21.strictObject({
      titleBase: title.optional(),
      description: description.optional(),
      ...metadataChanges,
      finalised: z21.boolean().optional()
    }).default({}),
    items: z21.array(item).default([])
  });
}
var call2 = withFiles2(filePath);
var called2 = call2.refine(
  ({ metadata, items }) => items.length > 0 || Object.keys(sparseFields(metadata)).length > 0,
  "they change nothing; give metadata or items"
).transform((args3) => ({ ...args3, items: withItemIds(args3.clientMutationId, args3.items) })).superRefine(({ items }, context) => requireDistinctItems(items.map(taken), context, "items"));
var meant2 = withFiles2(declaredFile).transform((args3) => ({
  ...args3,
  metadata: sparseFields(args3.metadata),
  items: withItemIds(args3.clientMutationId, args3.items)
}));
var tooMany = z21.looseObject({
  items: z21.array(z21.unknown()).min(mostItems + 1),
  metadata: z21.unknown().optional()
});
var editSet = defineOperation({
  name: "edit_set",
  arguments: call2,
  meant: meant2,
  strategy: {
    by: "batch",
    kind: "edit",
    plan(given) {
      const many = tooMany.safeParse(given);
      if (many.success) throw tooManyItemsError(many.data.items.length, many.data.metadata !== void 0);
      const args3 = checkArguments(called2, given);
      return {
        entry: null,
        places: args3.items.map((item, index) => ({ ...item, at: ["items", String(index)] })),
        files: args3.items.flatMap(
          (item, index) => "file" in item ? [{ file: item.file, slot: item.slot, at: ["items", String(index), "file"] }] : []
        ),
        declare(files) {
          const queue = files.values();
          const items = args3.items.map(
            (item) => "file" in item ? { ...item, file: queue.next().value } : item
          );
          return { ...args3, items };
        }
      };
    },
    declared: declaredBy2,
    request({ clientMutationId: clientMutationId2, setId: setId2, setKind, expectedUpdatedAt: expectedUpdatedAt2, metadata, items }) {
      const body = {
        clientMutationId: clientMutationId2,
        setId: setId2,
        setKind,
        expectedUpdatedAt: requireServiceRevision(expectedUpdatedAt2),
        ...setMetadataChanges(metadata),
        items: items.map(itemBody)
      };
      return jsonRequest(path`/me/sets/${setId2}/updates`, body, "documented");
    }
  },
  revision: ownedRevision("set", "setId"),
  saved: "set",
  needed: scopesOf,
  target: ({ setId: id2, setKind: kind, metadata, items }) => ({
    kind,
    id: id2,
    ...metadata.titleBase === void 0 ? {} : { newTitle: metadata.titleBase },
    items: items.length,
    metadata: Object.keys(metadata)
  }),
  guards: ({ setId: setId2, expectedUpdatedAt: expectedUpdatedAt2, items }) => [
    setGuard(setId2, expectedUpdatedAt2),
    ...items.flatMap(assetGuards)
  ],
  places: ({ setId: setId2, metadata, items }) => [
    ...Object.keys(metadata).length === 0 ? [] : [{ in: "set metadata", setId: setId2 }],
    ...items.flatMap((item) => placesOf(setId2, item))
  ],
  check({ setId: setId2, setKind, items }, seen) {
    const changed = items.map((item) => {
      const { operation, targetKind: targetKind2, targetId: targetId2, slot: slot2 } = item;
      return { operation, targetKind: targetKind2, targetId: targetId2, slot: slot2, assetId: assetOf(item) };
    });
    return checkItems({ setId: setId2, setKind, items: changed }, seen);
  },
  find: (args3, look) => lookUpSubmission(declaredBy2(args3), args3.clientMutationId, look)
});
function scopesOf({ items }) {
  const operations = new Set(items.map(({ operation }) => operation));
  const scopes = [];
  if (operations.has("add") || operations.has("asset_metadata")) scopes.push("assets:write");
  if (operations.has("replace")) scopes.push("assets:replace");
  return { allOf: ["sets:write", ...scopes] };
}
function declaredBy2({ items }) {
  return {
    kind: "edit",
    items: items.map((item) => "file" in item ? item : { ...item, file: null })
  };
}
function itemBody(item, index) {
  const { itemId: itemId2, position: position2, targetKind: targetKind2, targetId: targetId2, slot: slot2, operation } = item;
  const revision = () => operation === "add" ? null : requireServiceRevision(item.expectedAssetUpdatedAt, [
    "items",
    String(index),
    "expectedAssetUpdatedAt"
  ]);
  return {
    itemId: itemId2,
    position: position2,
    targetKind: targetKind2,
    targetId: targetId2,
    slot: slot2,
    operation,
    declaredFile: "file" in item ? declaredFileOf(item.file) : null,
    expectedPreviousAssetId: operation === "replace" ? item.expectedPreviousAssetId : null,
    existingAssetId: "existingAssetId" in item ? item.existingAssetId : null,
    expectedAssetUpdatedAt: revision(),
    ...operation === "asset_metadata" ? givenFieldsOf(metadataChanges, item) : {}
  };
}
function declaredFileOf({ filename, contentType, contentLength }) {
  return { filename, contentType, contentLength, selectedSourceFrame: null };
}
function assetGuards(item) {
  const asset2 = assetOf(item);
  if (asset2 === null || item.operation === "add") return [];
  return [{ ...assetGuard(asset2, item.expectedAssetUpdatedAt), alsoOnWire: true }];
}
function assetOf(item) {
  switch (item.operation) {
    case "add":
      return null;
    case "replace":
      return item.expectedPreviousAssetId;
    case "assign":
    case "asset_metadata":
      return item.existingAssetId;
  }
}
function taken(item) {
  const own = item.operation === "asset_metadata" ? distinctItemIdsOf(item) : distinctItemValuesOf(item);
  const asset2 = assetOf(item);
  return asset2 === null ? own : [...own, { name: "existingAssetId", value: asset2.toLowerCase() }];
}
function placesOf(setId2, item) {
  const { targetKind: kind, targetId: id2, slot: slot2 } = item;
  const asset2 = assetOf(item);
  const place = { in: "set", setId: setId2, target: { kind, id: id2 }, slot: slot2 };
  return asset2 === null ? [place] : [place, { in: "asset", assetId: asset2 }];
}

// src/mutations/operations/select-preview-frame.ts
var selectPreviewFrame = defineOperation({
  name: "select_preview_frame",
  arguments: defineArguments({ extra, assetId, selectedSourceFrame }),
  strategy: {
    by: "request",
    request(args3) {
      const body = previewSelection({ ...args3, expectedUpdatedAt: revisionToSend(args3.expectedUpdatedAt) });
      return jsonRequest(path`/me/assets/${args3.assetId}/preview`, body, "assumed");
    }
  },
  revision: ownedRevision("asset", "assetId"),
  saved: "asset",
  needed: () => ({ allOf: ["assets:replace"] }),
  target: ({ assetId: assetId2 }) => ({ kind: "asset", id: assetId2 }),
  guards: ({ assetId: assetId2, expectedUpdatedAt: expectedUpdatedAt2 }) => [assetGuard(assetId2, expectedUpdatedAt2)],
  check: ({ assetId: assetId2, selectedSourceFrame: selectedSourceFrame2 }, seen) => checkAsset({ assetId: assetId2, frame: selectedSourceFrame2 }, seen),
  async find({ assetId: assetId2, expectedUpdatedAt: expectedUpdatedAt2, selectedSourceFrame: selectedSourceFrame2 }, { owned, call: call3 }) {
    const record = await owned.readAsset(assetId2, call3);
    const compared = compareReadBack(record, { selectedSourceFrame: selectedSourceFrame2 });
    return readBackEdit({ name: `Asset ${assetId2}`, expected: expectedUpdatedAt2, record, compared });
  }
});

// src/mutations/operations/upload-asset.ts
import { z as z22 } from "zod";
function withFile(file) {
  return defineArguments({
    file,
    operation: z22.enum(["add", "replace"]),
    slot,
    targetKind: openKind.optional(),
    targetId: targetId.optional(),
    languageCode: languageCode.optional(),
    previousAssetId: assetId.optional(),
    setId: setId.optional(),
    groupId: groupId.optional()
  });
}
var called3 = withFile(filePath).superRefine(requireOnePlace);
var meant3 = withFile(declaredFile).superRefine(requireOnePlace);
function requireOnePlace(upload, context) {
  const refuse = (message, name) => context.addIssue({ code: "custom", message, path: [name] });
  const { operation, previousAssetId, setId: setId2, groupId: groupId2 } = upload;
  const hasKind = upload.targetKind !== void 0;
  const hasId = upload.targetId !== void 0;
  if (setId2 !== void 0 && groupId2 !== void 0) refuse("setId and groupId exclude each other", "groupId");
  if (hasKind !== hasId) refuse("targetKind and targetId go together", hasKind ? "targetId" : "targetKind");
  if (!hasKind && !hasId && setId2 === void 0 && groupId2 === void 0) {
    refuse("is needed, with targetId, unless setId or groupId is given", "targetKind");
  }
  if (operation === "replace" && previousAssetId === void 0)
    refuse("is needed to replace", "previousAssetId");
  if (operation === "add" && previousAssetId !== void 0) {
    refuse("only belongs to operation replace", "previousAssetId");
  }
}
var uploadAsset = defineOperation({
  name: "upload_asset",
  arguments: called3,
  meant: meant3,
  strategy: {
    by: "upload",
    plan(given) {
      const args3 = checkArguments(called3, given);
      return { file: args3.file, slot: args3.slot, declare: ([file]) => ({ ...args3, file }) };
    },
    bytes: (args3) => ({
      clientMutationId: args3.clientMutationId,
      sha256: args3.file.sha256,
      slot: args3.slot,
      target: goalOf(args3)
    }),
    request(args3) {
      const { operation, clientMutationId: clientMutationId2, slot: slot2, targetKind: targetKind2, targetId: targetId2, languageCode: languageCode2, previousAssetId } = args3;
      const query = {
        operation,
        clientMutationId: clientMutationId2,
        slot: slot2,
        targetKind: targetKind2,
        targetId: targetId2,
        languageCode: languageCode2,
        previousAssetId
      };
      const request = fileRequest(pathOf2(args3), sparseFields(query), args3.file);
      return { ...request, headers: { ...request.headers, "X-Upload-SHA256": args3.file.sha256 } };
    }
  },
  revision: revisionOfPlace,
  saved: "asset",
  needed({ operation, groupId: groupId2 }) {
    const scope = operation === "add" ? "assets:write" : "assets:replace";
    return { allOf: groupId2 === void 0 ? [scope] : ["groups:write", scope] };
  },
  target({ operation, slot: slot2, targetKind: targetKind2, targetId: targetId2, setId: setId2, groupId: groupId2, previousAssetId, file: { filename } }) {
    return sparseFields({ operation, slot: slot2, targetKind: targetKind2, targetId: targetId2, setId: setId2, groupId: groupId2, previousAssetId, filename });
  },
  guards: (args3) => guardsOf(args3),
  places: (args3) => placesOf2(args3),
  check: (args3, seen) => checkUpload(args3, seen),
  prepare: ({ clientMutationId: clientMutationId2 }, owned, call3) => checkIdIsNew(owned, clientMutationId2, call3),
  find: async ({ clientMutationId: clientMutationId2 }, { owned, progress, call: call3 }) => wasForeignId(progress) ? foreignIdFinding : await lookUpUpload(owned, clientMutationId2, call3),
  async publication({ clientMutationId: clientMutationId2 }, { owned, call: call3 }) {
    const finding = await lookUpUpload(owned, clientMutationId2, call3);
    return finding.found === "nothing" ? null : finding.kept.publicationStatus;
  }
});
function pathOf2({ setId: setId2, groupId: groupId2 }) {
  if (setId2 !== void 0) return path`/me/sets/${setId2}/assets`;
  return groupId2 === void 0 ? path`/me/assets` : path`/me/groups/${groupId2}/poster`;
}
function revisionOfPlace(given) {
  const { operation, previousAssetId, setId: setId2, groupId: groupId2 } = given;
  if (operation === "replace" || previousAssetId !== void 0) {
    return ownedRevision("asset", "previousAssetId")(given);
  }
  if (setId2 !== void 0) return ownedRevision("set", "setId")(given);
  return groupId2 === void 0 ? noRevision(given) : ownedRevision("group", "groupId")(given);
}
function guardsOf({ expectedUpdatedAt: expectedUpdatedAt2, previousAssetId, setId: setId2, groupId: groupId2 }) {
  if (previousAssetId !== void 0) return [assetGuard(previousAssetId, expectedUpdatedAt2)];
  if (setId2 !== void 0) return [setGuard(setId2, expectedUpdatedAt2)];
  return groupId2 === void 0 ? [] : [groupGuard(groupId2, expectedUpdatedAt2)];
}
function placesOf2({ setId: setId2, groupId: groupId2, previousAssetId, targetKind: targetKind2, targetId: targetId2, slot: slot2 }) {
  const hasTarget = targetKind2 !== void 0 && targetId2 !== void 0;
  const target = hasTarget ? { kind: targetKind2, id: targetId2 } : null;
  if (setId2 !== void 0) return [{ in: "set", setId: setId2, target, slot: slot2 }];
  if (groupId2 !== void 0) return [{ in: "group", groupId: groupId2, slot: slot2 }];
  return previousAssetId === void 0 ? [] : [{ in: "asset", assetId: previousAssetId }];
}
function goalOf({ targetKind: targetKind2, targetId: targetId2, setId: setId2, groupId: groupId2 }) {
  if (targetKind2 !== void 0 && targetId2 !== void 0) return { kind: targetKind2, id: targetId2 };
  return setId2 === void 0 ? { kind: "group", id: groupId2 ?? "" } : { kind: "set", id: setId2 };
}
var askMs = 15e3;
var note = z22.looseObject({ knownBefore: z22.literal(true) });
async function checkIdIsNew(owned, id2, call3) {
  const deadlineMs = Math.min(call3.deadlineMs ?? askMs, askMs);
  try {
    const upload = await owned.findAssetUpload(id2, { ...call3, deadlineMs });
    return upload === null ? {} : { knownBefore: true };
  } catch (error) {
    throw error instanceof ArtworkError ? notAsked(error) : error;
  }
}
function notAsked(error) {
  switch (error.category) {
    case "cancelled":
    case "not_connected":
    case "reconnect_required":
    case "scope_missing":
      return error;
    default: {
      const { category: category2, message, code, status, next } = error;
      const mayPass = category2 === "network" || category2 === "service_unavailable" || category2 === "rate_limited";
      return new ArtworkError(
        mayPass ? category2 : "bad_response",
        `The service could not say whether it knows this id already, so nothing was sent. ${message}`,
        { code: code === category2 ? void 0 : code, status, next: mayPass ? next : void 0 }
      );
    }
  }
}
function wasForeignId(progress) {
  return note.safeParse(progress).success;
}
var foreignIdFinding = {
  found: "nothing",
  by: "lookup",
  says: "The service knew this id before anything was sent under it from here: what it shows may be an earlier upload, and tells nothing of this one.",
  final: true
};

// src/mutations/operations/find-operation.ts
var byName = new Map(
  Object.values(operations_exports).map((operation) => [operation.name, operation])
);
function findOperation(name) {
  return byName.get(name) ?? null;
}
function isSubmission({ operation }) {
  return findOperation(operation)?.strategy.by === "batch";
}
function rehydrateMutation({
  operation,
  clientMutationId: clientMutationId2,
  intent
}) {
  try {
    const args3 = { ...JSON.parse(intent), clientMutationId: clientMutationId2 };
    return findOperation(operation)?.mutation(args3) ?? null;
  } catch (error) {
    if (error instanceof ArtworkError || error instanceof SyntaxError) return null;
    throw error;
  }
}

// src/mutations/before-claim/keywords.ts
function keywordsOf(entry) {
  return { ...findable(entry), keeps: keptBy(entry) };
}
function searchKeywordsOf(mutation) {
  const { places, bytes } = mutation;
  const work2 = workOfNewSet(places);
  return {
    meeting: places.flatMap((place) => {
      const short = placeWithoutTarget(place);
      return short === null ? [at(place), within(place)] : [at(place), at(short)];
    }),
    same: [
      ...bytes === null ? [] : [uploading(bytes)],
      ...places.filter((place) => place.in === "new set").map(at)
    ],
    work: work2 === null ? [] : [`work ${work2}`]
  };
}
var last = null;
function findable(entry) {
  if (last === null || last.id !== entry.clientMutationId || last.intent !== entry.intent) {
    last = { intent: entry.intent, id: entry.clientMutationId, found: findAnew(rehydrateMutation(entry)) };
  }
  return last.found;
}
function findAnew(mutation) {
  if (mutation === null) return { whileOpen: [], onceDone: [] };
  const { same, work: work2 } = searchKeywordsOf(mutation);
  const places = mutation.places.flatMap((place) => {
    const short = placeWithoutTarget(place);
    return short === null ? [at(place)] : [at(place), within(short)];
  });
  return { whileOpen: [.../* @__PURE__ */ new Set([...places, ...same, ...work2])], onceDone: [...same, ...work2] };
}
function keptBy({ operation, progress, ...entry }) {
  if (progress === null || !isSubmission({ operation }) && isKnown({ operation, ...entry })) return [];
  const owner = readBlobOwner(progress);
  return owner === null ? null : [blobKeyOf(owner)];
}
function isKnown(entry) {
  return rehydrateMutation(entry) !== null;
}
function at(place) {
  return `at ${writePlace(place)}`;
}
function within(short) {
  return `within ${writePlace(short)}`;
}
function uploading({ sha256: sha2562, slot: slot2, target }) {
  return `bytes ${sha2562} ${target.kind} ${target.id} ${slot2}`;
}
export {
  keywordsOf,
  searchKeywordsOf
};
