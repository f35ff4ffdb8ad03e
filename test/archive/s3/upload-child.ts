/** Publishes one file into a bucket, in a process of its own that is killed meanwhile. */
import { type ChildUpload, publishOnce } from './upload-once.js';

await publishOnce(JSON.parse(process.argv[2] ?? '') as ChildUpload);
