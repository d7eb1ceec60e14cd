# Tapedeck in a Snakemake workflow.
#
#   snakemake --snakefile shards.smk --cores 4 --config recordings=/archive results=/results shards=8
#
# Each shard leaves a file that says that it is through; the merge wants them all.
#
# When something fails:
# - A shard is killed: run snakemake again; it starts the shards that left no file, and each does
#   what is left.
# - Recordings fail: tapedeck ends with status 3 then, which is no reason to stop here.
#   `tapedeck status /results` says which they are.
# - The plan is refused, as shards of an earlier night are not merged: tapedeck merge /results, or
#   delete nothing and run snakemake with the same number of shards.
# - For the next night, delete the folder `shards` (of this workflow, not of the output).
RECORDINGS, RESULTS = config["recordings"], config["results"]
SHARDS = int(config.get("shards", 8))

rule merge:
    input:
        expand("shards/{number}.done", number=range(1, SHARDS + 1)),
    shell:
        "tapedeck merge {RESULTS:q} || [ $? = 3 ]"

rule plan:
    output:
        touch("shards/planned"),
    shell:
        "tapedeck plan {RECORDINGS:q} --output {RESULTS:q} --shards {SHARDS}"

rule shard:
    input:
        "shards/planned",
    output:
        touch("shards/{number}.done"),
    threads: 1
    shell:
        "tapedeck run {RECORDINGS:q} --output {RESULTS:q} --shard {wildcards.number}/{SHARDS}"
        " --jobs {threads} --quiet || [ $? = 3 ]"
