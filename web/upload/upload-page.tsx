import type { PropsWithChildren } from 'hono/jsx';
import { formTokenField } from '../guard/form-token.js';
import type { Frame } from '../parts/frame.js';
import { Icon } from '../parts/link.js';
import { Page } from '../parts/page.js';

interface UploadPageProps {
  readonly frame: Frame;
  /** The upload that the next one is another try of. */
  readonly again: { readonly id: string; readonly campaign: string | null; readonly budget: string | null } | null;
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
      <UploadForm frame={frame} again={again} />
      <p class="soft small">
        A sample with every column: <code>greenlight template sample.xlsx</code>
      </p>
    </Page>
  );
}

function UploadForm({ frame, again }: Pick<UploadPageProps, 'frame' | 'again'>) {
  return (
    <form class="card narrow" method="post" action={`${frame.basePath}/uploads`} enctype="multipart/form-data">
      {/* Before the files: none of them is kept without it. */}
      <input type="hidden" name={formTokenField} value={frame.formToken} />
      <input type="hidden" name="again" value={again?.id ?? ''} />
      <Field name="campaign" label="Campaign" hint={hints.campaign}>
        <input
          class="in"
          id="campaign"
          name="campaign"
          value={again?.campaign ?? ''}
          maxlength={100}
          aria-describedby="campaign-hint"
        />
      </Field>
      <Field name="budget" label="Budget" hint={hints.budget}>
        <input
          class="in"
          id="budget"
          name="budget"
          value={again?.budget ?? ''}
          maxlength={300}
          aria-describedby="budget-hint"
        />
      </Field>
      <Field name="manifest" label="Sheet" hint={hints.manifest}>
        <input
          class="in"
          id="manifest"
          name="manifest"
          type="file"
          accept={endings}
          required
          aria-describedby="manifest-hint"
        />
      </Field>
      <Field name="reference" label="Reference files" hint={hints.reference}>
        <input class="in" id="reference" name="reference" type="file" multiple aria-describedby="reference-hint" />
      </Field>
      <button class="b go big" type="submit">
        <Icon name="upload" />
        Check it
      </button>
    </form>
  );
}

const endings = '.csv,.tsv,.txt,.xlsx,.xlsm,.yaml,.yml,.json,.jsonl,.ndjson';

const hints = {
  campaign: 'The row ids belong to it. Left out: what the sheet says, else the name of the file',
  budget: "A path, e.g. acme/emea. Left out: what the sheet says, else the campaign's own",
  manifest: 'CSV, XLSX, YAML, JSON or JSON Lines',
  reference: 'Those that rows name by their file name; addresses and asset ids need none',
};

function Field({ name, label, hint, children }: PropsWithChildren<{ name: string; label: string; hint: string }>) {
  return (
    <div class="field">
      <label for={name}>{label}</label>
      {children}
      <p class="hint" id={`${name}-hint`}>
        {hint}
      </p>
    </div>
  );
}
