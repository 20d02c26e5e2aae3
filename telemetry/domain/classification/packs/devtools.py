"""Developers' command lines and registries: what they print when they fail."""

from telemetry.domain.classification.causes import Cause
from telemetry.domain.classification.packs.pack import Pack

PACKS = (
    Pack(
        name="git",
        source="git: messages of porcelain commands; GitHub and GitLab remotes",
        marks=("git", "git-push", "git-pull", "git-clone", "git-commit", "git-merge", "git-checkout", "gitpython"),
        texts={
            Cause.NETWORK_UNSENT: r"could not resolve host|unable to access .*(?:failed to connect|connection refused|couldn't connect)|connection timed out|connect to host .* port \d+: (?!connection reset)|temporary failure in name resolution",
            Cause.NETWORK: r"early eof|rpc failed|remote end hung up|unexpected disconnect|connection (?:was )?reset|gnutls recv error|connection closed by remote host|the remote end hung up",
            Cause.UNAUTHORIZED: r"authentication failed|could not read (?:username|password)|invalid username or|permission denied \(publickey|terminal prompts disabled|support for password authentication was removed|host key verification failed|http basic: access denied",
            Cause.FORBIDDEN: r"permission to .* denied|protected branch|pre-receive hook declined|error: 403|refusing to allow|gh006|push declined due to|detected dubious ownership|you are not allowed to push",
            Cause.NOT_FOUND: r"repository .*not found|repository not found|does not appear to be a git repository|couldn't find remote ref|pathspec .* did not match|unknown revision|bad revision|invalid reference|not a valid object name|no such remote|remote branch .* not found|src refspec .* does not match|reference is not a tree",
            Cause.PRECONDITION: r"not a git repository|please tell me who you are|local changes .* would be overwritten|your branch .* diverged|need to specify how to reconcile|no upstream branch|nothing to commit|not currently on a branch|you have unstaged changes|cannot pull with rebase|you have not concluded|unrelated histories|working tree has modifications|nothing added to commit|no changes added|not fully merged|contains modified or untracked files|commit your changes or stash",
            Cause.CONFLICT: r"\bconflict \(|automatic merge failed|\[rejected\]|non-fast-forward|fetch first|already exists|merge conflict|could not apply|patch does not apply|patch failed|stale info|unmerged files",
            Cause.CONTENTION: r"index\.lock|another git process|cannot lock ref|unable to create .*\.lock",
            Cause.VALIDATION: r"unknown (?:option|switch)|usage: git|is not a git command|bad object|invalid path|ambiguous argument|invalid branch name|not a valid branch name|fatal: bad",
            Cause.STORAGE_FULL: r"no space left|over its data quota|exceeds github's file size limit",
            Cause.RATE_LIMITED: r"rate limit|too many requests|error: 429",
            Cause.UNAVAILABLE: r"error: 50[0234]|internal server error",
        },
    ),
    Pack(
        name="docker",
        source="Docker Engine, Compose and Distribution: messages; OCI registry error codes",
        marks=("docker", "podman", "buildah", "skopeo", "dockerhub", "registry", "ghcr", "quay", "containerd", "nerdctl", "harbor", "compose"),
        codes={Cause.RATE_LIMITED: "toomanyrequests", Cause.UNAUTHORIZED: "unauthorized", Cause.FORBIDDEN: "denied", Cause.NOT_FOUND: "manifest_unknown name_unknown blob_unknown manifest_blob_unknown blob_upload_unknown", Cause.VALIDATION: "name_invalid tag_invalid digest_invalid manifest_invalid size_invalid", Cause.UNSUPPORTED: "unsupported"},
        texts={
            Cause.RATE_LIMITED: r"toomanyrequests|pull rate limit",
            Cause.NETWORK_UNSENT: r"cannot connect to the docker daemon|is the docker daemon running|no such host|connection refused|dial tcp .*(?:lookup|timeout)|tls handshake timeout|dial unix",
            Cause.UNAUTHORIZED: r"unauthorized: |authentication required|no basic auth credentials|incorrect username or password",
            Cause.FORBIDDEN: r"denied: requested access|access to the resource is denied|permission denied while trying to connect|pull access denied|insufficient_scope",
            Cause.NOT_FOUND: r"no such (?:container|image|network|volume|service|object)|manifest (?:for .* )?(?:unknown|not found)|not found: manifest|repository does not exist|no matching manifest|executable file not found|failed to read dockerfile|not found in the registry",
            Cause.CONFLICT: r"\bconflict\b|is already in use by container|port is already allocated|address already in use|already exists",
            Cause.PRECONDITION: r"is not running|is not paused|has active endpoints|must be forced|image is being used|is restarting|volume is in use|container .* is running",
            Cause.STORAGE_FULL: r"no space left on device",
            Cause.VALIDATION: r"invalid reference format|unknown flag|unknown shorthand flag|dockerfile parse error|unknown instruction|invalid (?:mount|argument|port|containerport|volume)|services\.\S+ (?:additional|must)|requires (?:exactly|at least)|yaml: |invalid compose",
            Cause.CONTENTION: r"removal of container .* is already in progress|another (?:update|operation)",
            Cause.TIMEOUT: r"context deadline exceeded|request canceled|client\.timeout",
        },
    ),
    Pack(
        name="terraform",
        source="Terraform and OpenTofu: CLI diagnostics",
        marks=("terraform", "tofu", "opentofu", "terragrunt", "pulumi", "hcp"),
        texts={
            Cause.CONTENTION: r"error acquiring the state lock|state (?:is )?locked|conditionalcheckfailedexception.*lock|the stack is currently locked|workspace already locked",
            Cause.VALIDATION: r"unsupported (?:argument|block type|attribute)|missing required argument|invalid (?:value for|expression|reference|character|function argument|resource type|count argument|for_each)|argument or block definition required|reference to undeclared|no value for required variable|incorrect attribute value type|inconsistent conditional|duplicate (?:resource|variable|provider)|unclosed configuration|invalid template|error parsing|undeclared (?:resource|variable|input)|value for undeclared variable",
            Cause.PRECONDITION: r"backend initialization required|required plugins are not installed|inconsistent dependency lock|run \"?terraform init|instance cannot be destroyed|saved plan is stale|could not load plugin|missing required provider|unsupported terraform core version",
            Cause.UNAUTHORIZED: r"no valid credential sources|error configuring terraform aws provider|required token could not be found|expiredtoken|invalidclienttokenid",
            Cause.NOT_FOUND: r"cannot import non-existent|no configuration files|module not found|resource instance .* does not exist|no state file was found|workspace .* doesn't exist",
            Cause.CONFLICT: r"already (?:exists|managed by terraform)|resource already managed",
            Cause.QUOTA: r"limitexceeded|quota .*exceeded|vcpulimitexceeded",
        },
    ),
    Pack(
        name="npm",
        source="npm, yarn and pnpm: error codes",
        marks=("npm", "yarn", "pnpm", "npx", "node"),
        codes={Cause.NOT_FOUND: "e404 enoent", Cause.UNAUTHORIZED: "e401 eneedauth eotp", Cause.FORBIDDEN: "e403 eacces", Cause.CONFLICT: "eresolve epublishconflict e409", Cause.VALIDATION: "einvalidpackagename ejsonparse einvalidtagname etarget", Cause.RATE_LIMITED: "e429", Cause.BUSY: "e503", Cause.UNAVAILABLE: "e502 e504", Cause.SERVER_ERROR: "e500", Cause.UNSUPPORTED: "ebadplatform ebadengine eunsupportedprotocol", Cause.REFUSED: "eintegrity"},
        texts={Cause.NOT_FOUND: r"\be404\b|404 not found|missing script|no matching version|enoent|couldn't find (?:any versions|package)|err_pnpm_no_matching_version|err_pnpm_fetch_404", Cause.CONFLICT: r"\beresolve\b|cannot publish over|epublishconflict|previously published|unable to resolve dependency tree|peer dep", Cause.UNAUTHORIZED: r"\beneedauth\b|\be401\b|\beotp\b|requires you to be logged in|one-time pass", Cause.FORBIDDEN: r"\be403\b|\beacces\b|do not have permission", Cause.VALIDATION: r"\bejsonparse\b|invalid (?:package name|tag name)|unknown (?:command|option)|\betarget\b|err_pnpm_outdated_lockfile|frozen-lockfile", Cause.NETWORK: r"\beconnreset\b|network (?:aborted|socket)|socket timeout|err_socket_timeout", Cause.NETWORK_UNSENT: r"\benotfound\b|\beai_again\b|\beconnrefused\b", Cause.REFUSED: r"\beintegrity\b"},
    ),
    Pack(
        name="pip",
        source="pip, uv, poetry and conda: messages",
        marks=("pip", "pip3", "uv", "poetry", "conda", "mamba", "pypi", "twine", "pipenv", "pdm"),
        texts={Cause.NOT_FOUND: r"no matching distribution found|could not find a version|packagesnotfounderror|was not found in the package registry|no such file or directory: .*requirements|not found in the registry|404 client error", Cause.CONFLICT: r"resolutionimpossible|conflicting dependencies|no solution found|version solving failed|file already exists|unsatisfiableerror|incompatible", Cause.NETWORK: r"read timed out|connection (?:broken|reset)|protocolerror|remotedisconnected", Cause.NETWORK_UNSENT: r"newconnectionerror|temporary failure in name resolution|failed to establish a new connection|connecttimeouterror|getaddrinfo", Cause.VALIDATION: r"invalid requirement|invalid (?:version|wheel filename|specifier)|no such option|unknown command", Cause.PRECONDITION: r"externally-managed-environment|requires-python|requires a different python|requires python|in use", Cause.FORBIDDEN: r"permission denied|403 (?:client error|forbidden)", Cause.UNAUTHORIZED: r"401 (?:client error|unauthorized)|invalid or non-existent authentication", Cause.STORAGE_FULL: r"no space left", Cause.REFUSED: r"hashes? (?:do|did) not match|do not match the hashes|failed building wheel|subprocess-exited-with-error|metadata-generation-failed"},
    ),
    Pack(
        name="build",
        source="cargo, go, maven, gradle, make, dotnet, apt: messages",
        marks=("cargo", "go", "mvn", "maven", "gradle", "make", "dotnet", "apt", "apt-get", "yum", "dnf", "brew", "apk", "dpkg", "cmake", "nuget", "gem", "bundle", "composer", "snap", "pacman", "choco", "winget"),
        texts={Cause.CONTENTION: r"could not get lock|is another process using it|blocking waiting for file lock|lock-frontend|held by process|another app is currently holding|another active homebrew|unable to acquire the dpkg", Cause.NOT_FOUND: r"unable to locate package|no package .* available|could not find artifact|no matching package|not found in registry|no available formula|unable to find a match|package .* is not available|module .* found .*but does not contain|no required module provides|no rule to make target|could not find gem|could not find (?:package|a matching version)|e: version .* was not found|unknown revision", Cause.NETWORK_UNSENT: r"temporary failure resolving|could not resolve|could not connect|no such host|failed to download from", Cause.FORBIDDEN: r"are you root|permission denied|must be run as root|requires root", Cause.CONFLICT: r"unmet dependencies|conflicts with|already uploaded|failed to select a version|held broken packages|already exists", Cause.REFUSED: r"hash sum mismatch|checksum mismatch|gpg error|no_pubkey|compilation failed|could not compile|build failed|cannot find symbol|undefined reference|error\[e\d+\]|compilation error|compile error"},
    ),
    Pack(
        name="ssh",
        source="OpenSSH, scp, rsync: messages",
        marks=("ssh", "scp", "sftp", "rsync", "paramiko", "asyncssh", "ansible", "fabric"),
        texts={Cause.NETWORK_UNSENT: r"connection refused|could not resolve hostname|no route to host|connection timed out|network is unreachable|operation timed out|kex_exchange_identification|error reading ssh protocol banner|unable to connect to port", Cause.NETWORK: r"connection (?:reset|closed|lost)|broken pipe|client_loop|server not responding|connection unexpectedly closed|timeout, server", Cause.UNAUTHORIZED: r"permission denied \(|too many authentication failures|authentication failed|host key verification failed|remote host identification has changed|no supported authentication methods|not in known_hosts|invalid/incorrect password", Cause.NOT_FOUND: r"no such file or directory|no such file", Cause.FORBIDDEN: r"permission denied", Cause.STORAGE_FULL: r"no space left|quota exceeded"},
    ),
    Pack(
        name="github",
        source="GitHub REST and GraphQL: messages and validation codes",
        marks=("github", "gh", "octokit", "pygithub"),
        codes={Cause.VALIDATION: "missing missing_field invalid unprocessable undefinedfield argumentliteralsincompatible", Cause.CONFLICT: "already_exists", Cause.RATE_LIMITED: "rate_limited", Cause.NOT_FOUND: "not_found", Cause.FORBIDDEN: "forbidden insufficient_scopes", Cause.QUOTA: "max_node_limit_exceeded"},
        texts={Cause.RATE_LIMITED: r"secondary rate limit|abuse detection|api rate limit exceeded|submitted too quickly", Cause.CONFLICT: r"already exists|head branch was modified|is already merged|reference already exists|no commits between|does not match [0-9a-f]{7}|merge conflict", Cause.FORBIDDEN: r"resource not accessible|must have (?:admin|push|write)|organization has enabled|saml enforcement|not authorized for|protected branch|requires? authentication with", Cause.PRECONDITION: r"not mergeable|required status check|review(?:s)? (?:is|are) required|archived so is read-only|repository is empty|issues? (?:are|is|has been) disabled|workflow .* disabled|update is not a fast forward|locked", Cause.POLICY: r"spammy|flagged"},
    ),
)
