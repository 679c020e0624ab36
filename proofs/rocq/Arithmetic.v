(** * Arithmetic: facts about natural numbers and finite sums, nothing about tables *)

From mathcomp Require Import all_ssreflect zify.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(* ------------------------------------------------------------------ *)
(** ** Squares *)

Lemma leq_square (a : nat) : a <= a ^ 2. Proof. rewrite -mulnn; nia. Qed.

Lemma square_succ z : z.+1 ^ 2 = z ^ 2 + 2 * z + 1.
Proof. by rewrite -!mulnn; lia. Qed.

Lemma square_add_le (a b c : nat) : b <= c ^ 2 -> a ^ 2 + b <= (a + c) ^ 2.
Proof. rewrite -!mulnn; nia. Qed.

(* with 1 <= a <= n - (m-1):  a^2 <= a + (a-1)(n-m+1), as (a-1)(n-m+1-a) >= 0 *)
Lemma square_below_chord (a m n : nat) : 0 < a -> 0 < m -> a + (m - 1) <= n ->
  a ^ 2 + (n - m + 1) <= a + a * (n - m + 1).
Proof.
rewrite -mulnn => a0 m0 h.
have [c ->] : exists c, n = a + (m - 1) + c by exists (n - a - (m - 1)); lia.
have -> : a + (m - 1) + c - m + 1 = a + c by lia.
by case: a a0 h => // a _ _; nia.
Qed.

(* a quotient rounded up *)
Definition ceil_div (a b : nat) : nat := (a + b - 1) %/ b.

Lemma ceil_div_le a b k : 0 < b -> a <= b * k -> ceil_div a b <= k.
Proof. by move=> b0 h; rewrite /ceil_div -ltnS ltn_divLR //; lia. Qed.

Lemma ceil_div_ge a b : 0 < b -> a <= b * ceil_div a b.
Proof. by move=> b0; have := ltn_ceil (a + b - 1) b0; rewrite /ceil_div; lia. Qed.

(* ------------------------------------------------------------------ *)
(** ** Sums of indicators *)

Lemma sum_ones m : \sum_(j < m) 1 = m.
Proof. by rewrite sum1_card card_ord. Qed.

Lemma sum_indicator_eq (m : nat) (k : 'I_m) : \sum_(i < m) (i == k) = 1.
Proof. by rewrite (bigD1 k) //= eqxx big1 ?addn0 // => i /negbTE ->. Qed.

Lemma sum_indicator_lt b k : \sum_(j < b) (j < k) = minn k b.
Proof. by elim: b => [|b IH]; rewrite ?big_ord0 ?big_ord_recr /= ?IH; lia. Qed.

Lemma sum_indicator_eqn b d : \sum_(j < b) (j == d :> nat) = (d < b).
Proof. by elim: b => [|b IH]; rewrite ?big_ord0 ?big_ord_recr /= ?IH; lia. Qed.

Lemma sum_indicator_shift b c d : \sum_(j < b) (j + c == d) = ((c <= d) && (d - c < b)).
Proof. by elim: b => [|b IH]; rewrite ?big_ord0 ?big_ord_recr /= ?IH; lia. Qed.

Lemma sum_indicator_card m (p : pred 'I_m) : \sum_(j < m) p j = #|[pred j | p j]|.
Proof.
by rewrite -sum1_card [RHS]big_mkcond /=; apply: eq_bigr => j _; rewrite inE; case: (p j).
Qed.

Lemma sum_indicator_compl m (p : pred 'I_m) : \sum_(j < m) p j + \sum_(j < m) (~~ p j) = m.
Proof.
rewrite -big_split /= (eq_bigr (fun=> 1)) => [|j _]; last by case: (p j).
exact: sum_ones.
Qed.

(* picking one term out of a sum *)
Lemma sum_pick (T : finType) (k : T) (f : T -> nat) : \sum_t (t == k) * f t = f k.
Proof. by rewrite (bigD1 k) //= eqxx mul1n big1 ?addn0 // => t /negbTE ->. Qed.

Lemma sum_pick_sym (T : finType) (k : T) (f : T -> nat) : \sum_t (k == t) * f t = f k.
Proof. by under eq_bigr do rewrite eq_sym; apply: sum_pick. Qed.

(* ------------------------------------------------------------------ *)
(** ** Families of numbers with a given sum *)

Lemma sum_squares_le m (f : 'I_m -> nat) : \sum_(i < m) f i ^ 2 <= (\sum_(i < m) f i) ^ 2.
Proof.
elim: m f => [|m IH] f; first by rewrite !big_ord0.
by rewrite !big_ord_recl; apply: square_add_le; apply: IH.
Qed.

(* positive numbers: each is at most the sum less the number of the others *)
Lemma positive_term_le m (f : 'I_m -> nat) i :
  (forall k, 0 < f k) -> f i + (m - 1) <= \sum_(k < m) f k.
Proof.
move=> fp; rewrite (bigD1 i) //= leq_add2l.
have -> : m - 1 = \sum_(k < m | k != i) 1 by rewrite sum1_card cardC1 card_ord subn1.
by apply: leq_sum => k _; apply: fp.
Qed.

Lemma positive_sum_ge m (f : 'I_m -> nat) : (forall k, 0 < f k) -> m <= \sum_(k < m) f k.
Proof. by move=> fp; rewrite -{1}(sum_ones m); apply: leq_sum => k _; apply: fp. Qed.

Lemma positive_sum_squares_lt m (f : 'I_m -> nat) :
  1 < m -> (forall k, 0 < f k) -> \sum_(k < m) f k ^ 2 < (\sum_(k < m) f k) ^ 2.
Proof.
case: m f => [|[|m]] f // _ fp; rewrite big_ord_recl [in X in _ < X]big_ord_recl.
have := sum_squares_le (fun i : 'I_m.+1 => f (lift ord0 i)).
have := fp ord0; have : 0 < \sum_(i < m.+1) f (lift ord0 i) by rewrite big_ord_recl addn_gt0 fp.
move: (f ord0) (\sum_(i < m.+1) f _) (\sum_(i < m.+1) _ ^ 2) => a b c.
by rewrite -!mulnn; nia.
Qed.

(* m positive numbers with sum n: sum of f (f - 1) <= (n - m)(n - m + 1) *)
Lemma positive_sum_squares_le m (f : 'I_m -> nat) :
  (forall k, 0 < f k) ->
  \sum_(k < m) f k ^ 2 <= \sum_(k < m) f k + (\sum_(k < m) f k - m) * (\sum_(k < m) f k - m + 1).
Proof.
move=> fp; set n := \sum_(k < m) f k.
have nm : m <= n by apply: positive_sum_ge.
have [K KE] : exists K, K = n - m + 1 by exists (n - m + 1).
have key : \sum_(k < m) (f k ^ 2 + K) <= \sum_(k < m) (f k + f k * K).
  apply: leq_sum => k _; rewrite KE; apply: square_below_chord (fp k) _ (positive_term_le k fp).
  by have := ltn_ord k; lia.
move: key; rewrite !big_split /= -big_distrl /= -/n sum_nat_const card_ord KE.
have [c ->] : exists c, n = m + c by exists (n - m); lia.
by rewrite addKn; nia.
Qed.

(* every total between those of f and g is the total of some h with f <= h <= g *)
Lemma family_between (T : finType) (f g : T -> nat) n :
  (forall t, f t <= g t) -> \sum_t f t <= n <= \sum_t g t ->
  exists h : T -> nat, (forall t, f t <= h t <= g t) /\ \sum_t h t = n.
Proof.
move=> fg /andP [fn]; move: {2}(n - _) (leqnn (n - \sum_t f t)) => d.
elim: d f fg fn => [|d IH] f fg fn hd ng.
  by exists f; split; [move=> t; rewrite leqnn fg | lia].
case: (ltnP (\sum_t f t) n) => [fn'|]; last first.
  by move=> nf; exists f; split; [move=> t; rewrite leqnn fg | lia].
have [/existsP [t0 ft]|/existsPn no] := boolP [exists t, f t < g t]; last first.
  exfalso; have : \sum_t g t <= \sum_t f t by apply: leq_sum => t _; have := no t; rewrite -leqNgt.
  by lia.
pose f' t := f t + (t == t0).
have e : \sum_t f' t = \sum_t f t + 1.
  rewrite big_split /=; congr (_ + _).
  by rewrite (bigD1 t0) //= eqxx big1 // => t /negbTE ->.
have [t||||h [H1 H2]] := IH f'; try (rewrite e; lia).
- by rewrite /f'; case: eqP => [->|] /=; rewrite ?addn0 // addn1.
- by lia.
by exists h; split=> // t; have := H1 t; rewrite /f'; lia.
Qed.

(* ------------------------------------------------------------------ *)
(** ** The balanced family

    [balanced_squares m t] is the least sum of t squares of natural numbers with sum m.  With
    q = m / t and k = m mod t it is the sum over k numbers q + 1 and t - k numbers q; and
      sum of f^2 - balanced_squares = sum of (f - q)(f - q - 1) >= 0. *)

Definition balanced_squares (m t : nat) : nat := t * (m %/ t) ^ 2 + m %% t * (2 * (m %/ t) + 1).

Definition balanced_family (m t : nat) (j : nat) : nat := m %/ t + (j < m %% t).

(* no two terms differ by more than one *)
Definition balanced t (f : 'I_t -> nat) : Prop := forall i j, f i <= (f j).+1.

Lemma balanced_family_sum m t : 0 < t -> \sum_(j < t) balanced_family m t j = m.
Proof.
move=> t0; rewrite big_split /= sum_nat_const card_ord sum_indicator_lt.
have lt_mod : m %% t < t by rewrite ltn_mod.
by rewrite (minn_idPl (ltnW lt_mod)) mulnC -divn_eq.
Qed.

Lemma balanced_family_squares m t :
  0 < t -> \sum_(j < t) balanced_family m t j ^ 2 = balanced_squares m t.
Proof.
move=> t0; rewrite /balanced_family; set q := m %/ t.
rewrite (eq_bigr (fun j : 'I_t => q ^ 2 + (j < m %% t) * (2 * q + 1))) => [|j _].
  rewrite big_split /= sum_nat_const card_ord -big_distrl /= sum_indicator_lt.
  by rewrite (minn_idPl (ltnW _)) ?ltn_mod.
by case: (j < m %% t); rewrite ?addn1 ?square_succ ?addn0 ?mul1n ?addn0 //; lia.
Qed.

Lemma balanced_family_balanced m t : balanced (fun j : 'I_t => balanced_family m t j).
Proof. by move=> i j; rewrite /balanced_family; case: (_ < _); case: (_ < _); lia. Qed.

(* the product (a - q)(a - q - 1) of two consecutive integers *)
Lemma consecutive_product (a q : nat) : q * (2 * a) + a <= a ^ 2 + q ^ 2 + q.
Proof.
case: (leqP q a) => h.
  have [c ->] : exists c, a = q + c by exists (a - q); lia.
  by rewrite -!mulnn; case: c => [|c]; nia.
have [c ->] : exists c, q = a + c by exists (q - a); lia.
by rewrite -!mulnn; nia.
Qed.

Lemma consecutive_product_eq0 (a q : nat) :
  q * (2 * a) + a = a ^ 2 + q ^ 2 + q -> q <= a <= q.+1.
Proof.
case: (leqP q a) => h.
  have [c ->] : exists c, a = q + c by exists (a - q); lia.
  by rewrite -!mulnn; case: c => [|[|c]]; nia.
have [c ->] : exists c, q = a + c.+1 by exists (q - a - 1); lia.
by rewrite -!mulnn; nia.
Qed.

Section LeastSumOfSquares.
Variables (t : nat) (f : 'I_t -> nat).
Let m := \sum_(j < t) f j.
Let q := m %/ t.

Lemma sum_squares_excess :
  \sum_(j < t) (f j ^ 2 + q ^ 2 + q) + balanced_squares m t =
  \sum_(j < t) (q * (2 * f j) + f j) + \sum_(j < t) f j ^ 2.
Proof.
rewrite !big_split /= !sum_nat_const !card_ord -!big_distrr /= -/m /balanced_squares -/q.
have : m = q * t + m %% t by apply: divn_eq.
clearbody q; move: (\sum_i _) (m %% t) => S k.
by clearbody m => ->; rewrite -!mulnn; ring.
Qed.

Lemma balanced_squares_le : balanced_squares m t <= \sum_(j < t) f j ^ 2.
Proof.
have := sum_squares_excess.
have : \sum_(j < t) (q * (2 * f j) + f j) <= \sum_(j < t) (f j ^ 2 + q ^ 2 + q).
  by apply: leq_sum => j _; apply: consecutive_product.
by lia.
Qed.

(* only balanced families reach it *)
Lemma balanced_squares_unique : \sum_(j < t) f j ^ 2 = balanced_squares m t -> balanced f.
Proof.
move=> e; have h := sum_squares_excess; rewrite -e in h; have {}h := addIn h.
suff near j : q <= f j <= q.+1 by move=> i j; have := near i; have := near j; lia.
apply: consecutive_product_eq0; apply/eqP; rewrite eqn_leq consecutive_product /=.
have others : \sum_(i | i != j) (q * (2 * f i) + f i) <= \sum_(i | i != j) (f i ^ 2 + q ^ 2 + q).
  by apply: leq_sum => i _; apply: consecutive_product.
rewrite (bigD1 j) //= [in RHS](bigD1 j) //= in h.
by rewrite -(leq_add2r (\sum_(i | i != j) (q * (2 * f i) + f i))) -h leq_add2l.
Qed.
End LeastSumOfSquares.
