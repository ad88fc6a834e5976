//! Divides things into balanced clusters by their words: the heaviest cluster is halved until there are enough, along the direction in
//! which it differs most (principal direction divisive partitioning, Boley 1998), corrected by a few rounds of 2-means.

use super::vocabulary::Term;

/// Something to divide: its words as a vector of length one, and its weight.
pub(super) struct Thing {
    pub(super) vector: Vec<(Term, f64)>,
    pub(super) weight: u64,
}

/// Rounds towards the principal direction, and of 2-means after it.
const DIRECTION_ROUNDS: usize = 6;
const MEANS_ROUNDS: usize = 4;
/// The least share of the weight that a half has, if its parts allow it.
const LEAST_SHARE: f64 = 0.25;

/// Divides all things into at most `count` clusters. Every cluster lists its things in order, and clusters are in the order of their first ones.
pub(super) fn divide(things: &[Thing], count: usize, terms: usize) -> Vec<Vec<usize>> {
    let mut clusters: Vec<Vec<usize>> = vec![(0..things.len()).collect()];
    let mut scratch = Scratch::new(terms);
    let weight = |cluster: &Vec<usize>| cluster.iter().map(|thing| things[*thing].weight).sum::<u64>();
    while clusters.len() < count {
        let heaviest = (0..clusters.len())
            .filter(|at| clusters[*at].len() > 1)
            .max_by_key(|at| (weight(&clusters[*at]), std::cmp::Reverse(clusters[*at][0])));
        let Some(heaviest) = heaviest else { break };
        let (one, other) = halve(things, &clusters[heaviest], &mut scratch);
        clusters[heaviest] = one;
        clusters.push(other);
    }
    clusters.sort_by_key(|cluster| cluster[0]);
    clusters
}

/// Sums over all words; emptied after each use.
struct Scratch {
    one: Vec<f64>,
    other: Vec<f64>,
}

impl Scratch {
    fn new(terms: usize) -> Self {
        Self { one: vec![0.0; terms], other: vec![0.0; terms] }
    }
}

fn dot(vector: &[(Term, f64)], dense: &[f64]) -> f64 {
    vector.iter().map(|(term, weight)| weight * dense[*term as usize]).sum()
}

fn add(dense: &mut [f64], vector: &[(Term, f64)], factor: f64) {
    vector.iter().for_each(|(term, weight)| dense[*term as usize] += factor * weight);
}

/// Both halves are in order and neither is empty.
fn halve(things: &[Thing], cluster: &[usize], scratch: &mut Scratch) -> (Vec<usize>, Vec<usize>) {
    let mut scores = principal(things, cluster, scratch);
    for _ in 0..MEANS_ROUNDS {
        scores = two_means(things, cluster, &scores, scratch);
    }
    let mut order: Vec<usize> = (0..cluster.len()).collect();
    order.sort_by(|one, other| scores[*other].total_cmp(&scores[*one]).then(one.cmp(other)));
    let total: u64 = cluster.iter().map(|thing| things[*thing].weight).sum();
    let (least, most) = (LEAST_SHARE * total as f64, (1.0 - LEAST_SHARE) * total as f64);
    let (mut taken, mut cut) = (0_u64, 0);
    for at in &order {
        let weight = things[cluster[*at]].weight;
        let is_enough = taken as f64 >= least;
        let is_too_much = (taken + weight) as f64 > most;
        if cut > 0 && ((scores[*at] <= 0.0 && is_enough) || is_too_much) {
            break;
        }
        taken += weight;
        cut += 1;
    }
    let cut = cut.clamp(1, cluster.len() - 1);
    let side = |part: &[usize]| {
        let mut side: Vec<usize> = part.iter().map(|at| cluster[*at]).collect();
        side.sort_unstable();
        side
    };
    (side(&order[..cut]), side(&order[cut..]))
}

/// How far each thing lies along the direction in which the cluster differs most.
fn principal(things: &[Thing], cluster: &[usize], scratch: &mut Scratch) -> Vec<f64> {
    let Scratch { one: mean, other: direction } = scratch;
    mean.fill(0.0);
    direction.fill(0.0);
    let total: f64 = cluster.iter().map(|thing| things[*thing].weight as f64).sum();
    cluster.iter().for_each(|thing| add(mean, &things[*thing].vector, things[*thing].weight as f64 / total));
    // It starts at the thing that is least like the others.
    let likeness = |thing: &usize| dot(&things[*thing].vector, mean);
    let first =
        cluster.iter().copied().min_by(|one, other| likeness(one).total_cmp(&likeness(other)).then(one.cmp(other)));
    if let Some(first) = first {
        add(direction, &things[first].vector, 1.0);
    }
    let mut scores = Vec::new();
    for _ in 0..DIRECTION_ROUNDS {
        let middle: f64 = mean.iter().zip(direction.iter()).map(|(one, other)| one * other).sum();
        scores = cluster.iter().map(|thing| dot(&things[*thing].vector, direction) - middle).collect();
        direction.fill(0.0);
        let mut sum = 0.0;
        for (thing, score) in cluster.iter().zip(&scores) {
            let factor = score * things[*thing].weight as f64;
            add(direction, &things[*thing].vector, factor);
            sum += factor;
        }
        let mut square = 0.0;
        for (component, mean) in direction.iter_mut().zip(mean.iter()) {
            *component -= sum * mean;
            square += *component * *component;
        }
        if square <= 0.0 {
            break;
        }
        let length = libm::sqrt(square);
        direction.iter_mut().for_each(|component| *component /= length);
    }
    scores
}

/// How much nearer each thing is to the middle of the first side than to that of the second.
fn two_means(things: &[Thing], cluster: &[usize], scores: &[f64], scratch: &mut Scratch) -> Vec<f64> {
    let Scratch { one, other } = scratch;
    one.fill(0.0);
    other.fill(0.0);
    for (thing, score) in cluster.iter().zip(scores) {
        let side: &mut [f64] = if *score > 0.0 { one } else { other };
        add(side, &things[*thing].vector, things[*thing].weight as f64);
    }
    for side in [&mut *one, &mut *other] {
        let length = libm::sqrt(side.iter().map(|component| component * component).sum());
        if length > 0.0 {
            side.iter_mut().for_each(|component| *component /= length);
        }
    }
    cluster.iter().map(|thing| dot(&things[*thing].vector, one) - dot(&things[*thing].vector, other)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn thing(terms: &[Term]) -> Thing {
        let weight = 1.0 / libm::sqrt(terms.len() as f64);
        Thing { vector: terms.iter().map(|term| (*term, weight)).collect(), weight: 1 }
    }

    #[test]
    fn i19_tree_things_with_the_same_words_stay_together() {
        let things: Vec<Thing> = (0..12).map(|at| if at % 2 == 0 { thing(&[0, 1]) } else { thing(&[2, 3]) }).collect();
        let clusters = divide(&things, 2, 4);
        assert_eq!(clusters, [vec![0, 2, 4, 6, 8, 10], vec![1, 3, 5, 7, 9, 11]]);
    }

    #[test]
    fn i19_tree_clusters_are_balanced_even_if_nothing_tells_things_apart() {
        let things: Vec<Thing> = (0..64).map(|_| thing(&[0])).collect();
        let sizes: Vec<usize> = divide(&things, 8, 1).iter().map(Vec::len).collect();
        assert_eq!(sizes.iter().sum::<usize>(), 64);
        assert!(sizes.iter().all(|size| (3..=16).contains(size)), "{sizes:?}");
        assert_eq!(divide(&things[..3], 9, 1).len(), 3, "no cluster is empty");
    }
}
