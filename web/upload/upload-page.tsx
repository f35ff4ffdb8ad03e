import { formTokenField } from '../guard/form-token.js';
import type { Frame } from '../parts/frame.js';
import { Icon } from '../parts/link.js';
import { Page } from '../parts/page.js';

interface UploadPageProps {
  readonly frame: Frame;
  /** The upload that the next one is another try of. */
  readonly again: string;
  readonly problem?: { readonly message: string };
}

export function UploadPage({ frame, again, problem }: UploadPageProps) {
  return (
    <Page frame={frame} title="Upload a sheet" here="/upload">
      <div class="top">
        <h1>Upload a sheet</h1>
        <p class="lede">
          A row for each movie: an id, a prompt, a length and a ratio. Every problem is shown by its cell. Nothing is
          sent to the movie service, and nothing is ordered.
        </p>
      </div>
      {problem && (
        <p class="say bad" role="alert">
          <Icon name="failed" />
          <span>{problem.message}. Nothing was kept.</span>
        </p>
      )}
      <form class="card narrow" method="post" action={`${frame.basePath}/uploads`} enctype="multipart/form-data">
        {/* Before the files: none of them is kept without it. */}
        <input type="hidden" name={formTokenField} value={frame.formToken} />
        <input type="hidden" name="again" value={again} />
        <div class="field">
          <label for="campaign">Campaign</label>
          <input class="in" id="campaign" name="campaign" maxlength={100} aria-describedby="campaign-hint" />
          <p class="hint" id="campaign-hint">
            The row ids belong to it. Left out: what the sheet says, else the name of the file
          </p>
        </div>
        <div class="field">
          <label for="budget">Budget</label>
          <input class="in" id="budget" name="budget" maxlength={300} aria-describedby="budget-hint" />
          <p class="hint" id="budget-hint">
            A path, e.g. acme/emea. Left out: what the sheet says, else the campaign's own
          </p>
        </div>
        <div class="field">
          <label for="manifest">Sheet</label>
          <input
            class="in"
            id="manifest"
            name="manifest"
            type="file"
            accept=".csv,.tsv,.txt,.xlsx,.xlsm,.yaml,.yml,.json,.jsonl,.ndjson"
            required
            aria-describedby="manifest-hint"
          />
          <p class="hint" id="manifest-hint">
            CSV, XLSX, YAML, JSON or JSON Lines
          </p>
        </div>
        <div class="field">
          <label for="reference">Reference files</label>
          <input class="in" id="reference" name="reference" type="file" multiple aria-describedby="reference-hint" />
          <p class="hint" id="reference-hint">
            Those that rows name by their file name; addresses and asset ids need none
          </p>
        </div>
        <button class="b go big" type="submit">
          <Icon name="upload" />
          Check it
        </button>
      </form>
      <p class="soft small">
        A sample with every column: <code>greenlight template sample.xlsx</code>
      </p>
    </Page>
  );
}
